/// The subscription groups that the App Store names for products, where the catalogue names another or none.
public struct SeenGroups: Hashable, Sendable {
    private let groups: [ExactText: String]

    /// None.
    public static let none = SeenGroups([:])

    /// - Parameter groups: group ids by product id.
    public init(_ groups: [ExactText: String]) { self.groups = groups }

    /// Whether the catalogue agrees with all that was seen.
    public var isEmpty: Bool { groups.isEmpty }

    /// Returns the group that the App Store names, or nil if it is the catalogue's or was never seen.
    public func group(ofProduct id: String) -> String? { groups.isEmpty ? nil : groups[ExactText(id)] }
}
