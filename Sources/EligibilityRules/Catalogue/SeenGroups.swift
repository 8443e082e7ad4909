/// The subscription groups that the App Store's data name for products, where they differ from the catalogue.
public struct SeenGroups: Hashable, Sendable {
    private let groups: [ExactText: String]

    /// The App Store's data agree with the catalogue.
    public static let none = SeenGroups([:])

    /// - Parameter groups: group ids by product id.
    public init(_ groups: [ExactText: String]) { self.groups = groups }

    /// Whether the catalogue agrees with all data of the App Store.
    public var isEmpty: Bool { groups.isEmpty }

    /// Returns the group of a product by the App Store's data; nil if no data name one, or if the catalogue names the same.
    public func group(ofProduct id: String) -> String? { groups.isEmpty ? nil : groups[ExactText(id)] }
}
