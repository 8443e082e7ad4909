/// The part of the stores that belongs to an app in one environment.
///
/// What happens in an environment beside the app's own is another app's as far as stores go: it changes nothing of the app's own.
public struct AppPartition: Hashable, Sendable {
    /// An environment beside the app's own, by Apple's name.
    public enum Beside: String, Sendable, CaseIterable {
        case sandbox = "Sandbox"
        /// StoreKit Testing, which signs with a key of its own.
        case xcode = "Xcode"

        // Stands in no bundle id.
        fileprivate var mark: String { "#\(rawValue)" }
    }

    /// As stores keep it: the bundle id, with a mark behind it for an environment beside the app's own.
    public let name: String

    /// - Parameter beside: nil: the app's own environment.
    public init(bundleID: String, beside: Beside? = nil) { name = bundleID + (beside?.mark ?? "") }

    /// Takes a name as stores keep it.
    public init(name: String) { self.name = name }

    /// The app's.
    public var bundleID: String { String(name.dropLast(beside?.mark.count ?? 0)) }

    /// Nil: the app's own environment.
    public var beside: Beside? { Beside.allCases.first { name.hasSuffix($0.mark) } }

    /// All that an app can have, whether it has it or not.
    public static func environments(of bundleID: String) -> [AppPartition] {
        [AppPartition(bundleID: bundleID)] + Beside.allCases.map { AppPartition(bundleID: bundleID, beside: $0) }
    }

    /// Whether a text can be a bundle id: none of ours reads as a name of something else.
    public static func isPossible(bundleID: String) -> Bool { !bundleID.contains("#") }
}
