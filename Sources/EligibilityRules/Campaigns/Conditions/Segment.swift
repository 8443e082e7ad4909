/// A named condition that campaigns, and other segments, refer to.
public struct Segment: Hashable, Sendable {
    /// Kebab-case; stable.
    public let id: String
    /// The name for display.
    public let name: String
    /// The condition that its customers meet.
    public let condition: Condition
    /// The number of the version that is stored, or was when it was copied; nil for a segment of a file.
    public let version: Int?

    /// Takes the values as they are.
    public init(id: String, name: String, condition: Condition, version: Int? = nil) {
        self.id = id
        self.name = name
        self.condition = condition
        self.version = version
    }
}
