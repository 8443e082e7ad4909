/// The part of the stores that belongs to an app in one environment. It goes by a name, in the place of the bundle id.
///
/// What happens in an environment beside the app's own is another app's as far as stores go: nothing of it can move anything of the
/// app's own.
public struct AppPartition: Hashable, Sendable {
    /// An environment beside the app's own, by Apple's name.
    public enum Beside: String, Sendable, CaseIterable {
        case sandbox = "Sandbox"
        /// StoreKit Testing, which signs with a key of its own.
        case xcode = "Xcode"

        // Stands in no bundle id.
        fileprivate var mark: String { "#\(rawValue)" }
    }

    /// The app's.
    public let bundleID: String
    /// Nil: the app's own environment.
    public let beside: Beside?

    /// Takes the values as they are.
    public init(bundleID: String, beside: Beside? = nil) {
        self.bundleID = bundleID
        self.beside = beside
    }

    /// Reads a name.
    public init(name: String) {
        beside = Beside.allCases.first { name.hasSuffix($0.mark) }
        bundleID = String(name.dropLast(beside?.mark.count ?? 0))
    }

    /// The bundle id, with a mark behind it for an environment beside the app's own.
    public var name: String { bundleID + (beside?.mark ?? "") }

    /// The names of all that an app can have, whether it has it or not.
    public static func names(of bundleID: String) -> [String] {
        [bundleID] + Beside.allCases.map { AppPartition(bundleID: bundleID, beside: $0).name }
    }

    /// Whether a text can be a bundle id: none of ours reads as a name of something else.
    public static func isPossible(bundleID: String) -> Bool { !bundleID.contains("#") }
}
