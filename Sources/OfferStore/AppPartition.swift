/// The part of the stores that belongs to an app in one environment. It goes by a name, in the place of the bundle id.
///
/// What happens in the Sandbox beside a Production app is another app's as far as stores go: nothing of it can move
/// anything of Production.
public struct AppPartition: Hashable, Sendable {
    // Stands in no bundle id.
    private static let sandboxMark = "#Sandbox"

    /// The app's.
    public let bundleID: String
    /// Whether it is the Sandbox beside the app's own environment.
    public let isSandbox: Bool

    /// Takes the values as they are.
    public init(bundleID: String, isSandbox: Bool = false) {
        self.bundleID = bundleID
        self.isSandbox = isSandbox
    }

    /// Reads a name.
    public init(name: String) {
        isSandbox = name.hasSuffix(Self.sandboxMark)
        bundleID = isSandbox ? String(name.dropLast(Self.sandboxMark.count)) : name
    }

    /// The bundle id, with a mark behind it for the Sandbox.
    public var name: String { isSandbox ? bundleID + Self.sandboxMark : bundleID }

    /// Whether a text can be a bundle id: none of ours reads as a name of something else.
    public static func isPossible(bundleID: String) -> Bool { !bundleID.contains("#") }
}
