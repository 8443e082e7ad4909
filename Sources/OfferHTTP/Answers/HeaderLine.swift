/// One header of an answer.
struct HeaderLine: Equatable, Sendable {
    let name: String
    let value: String
}
