/// The part of the stores that belongs to an app in one environment.
///
/// The stores keep data of an additional environment apart, as if it were another app's. Such data therefore changes nothing in
/// the app's own environment.
public struct AppPartition: Hashable, Sendable {
    /// An environment other than the app's own, by Apple's name.
    public enum AdditionalEnvironment: String, Sendable, CaseIterable {
        case sandbox = "Sandbox"
        /// StoreKit Testing, which signs with a key of its own.
        case xcode = "Xcode"

        // No bundle id contains `#`.
        fileprivate var mark: String { "#\(rawValue)" }
    }

    /// The stored name: the bundle id, followed by a mark for an environment other than the app's own.
    public let name: String

    /// - Parameter additionalEnvironment: another environment; nil means the app's own.
    public init(bundleID: String, additionalEnvironment: AdditionalEnvironment? = nil) {
        name = bundleID + (additionalEnvironment?.mark ?? "")
    }

    /// Restores a partition from its stored `name`.
    public init(name: String) { self.name = name }

    /// The app's bundle id.
    public var bundleID: String {
        guard let additionalEnvironment else { return name }
        return String(name.dropLast(additionalEnvironment.mark.count))
    }

    /// The other environment; nil means the app's own.
    public var additionalEnvironment: AdditionalEnvironment? {
        if AppPartition.isPossible(bundleID: name) { return nil }
        return AdditionalEnvironment.allCases.first { name.hasSuffix($0.mark) }
    }

    /// All partitions that an app can have.
    public static func environments(of bundleID: String) -> [AppPartition] {
        [AppPartition(bundleID: bundleID)]
            + AdditionalEnvironment.allCases.map { AppPartition(bundleID: bundleID, additionalEnvironment: $0) }
    }

    /// Whether a text can be a bundle id, and cannot be confused with a stored name.
    public static func isPossible(bundleID: String) -> Bool { !bundleID.utf8.contains(UInt8(ascii: "#")) }
}
