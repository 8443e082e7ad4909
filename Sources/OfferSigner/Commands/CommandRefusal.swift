/// The reason that a command cannot run in the present state; it exits with 1. A mistaken option is a `ValidationError`.
struct CommandRefusal: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
