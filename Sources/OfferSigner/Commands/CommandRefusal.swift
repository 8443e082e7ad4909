/// Why a command cannot be done as things are; it exits with 1. A mistaken option is a `ValidationError`.
struct CommandRefusal: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
