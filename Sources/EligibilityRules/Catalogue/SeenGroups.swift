/// The subscription groups that the App Store names for products, where the catalogue says otherwise or nothing.
public struct SeenGroups: Hashable, Sendable {
    private let groups: [ExactText: String]

    /// None.
    public static let none = SeenGroups([:])

    /// - Parameter groups: group ids by product id.
    public init(_ groups: [ExactText: String]) { self.groups = groups }

    /// Whether the catalogue is right in all that was seen.
    public var isEmpty: Bool { groups.isEmpty }

    /// The group that the App Store names; nil where it is the catalogue's, or was never seen.
    public func group(ofProduct id: String) -> String? { groups.isEmpty ? nil : groups[ExactText(id)] }
}
