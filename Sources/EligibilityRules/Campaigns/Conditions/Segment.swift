/// A named condition that campaigns, and other segments, refer to.
public struct Segment: Hashable, Sendable {
    /// Kebab-case; stable.
    public let id: String
    /// The name for display.
    public let name: String
    /// The condition that its customers meet.
    public let condition: Condition

    /// Takes the values as they are.
    public init(id: String, name: String, condition: Condition) {
        self.id = id
        self.name = name
        self.condition = condition
    }
}
