/// The App Store environment that signed data belongs to.
public enum AppStoreEnvironment: String, Sendable, CaseIterable {
    case production = "Production"
    case sandbox = "Sandbox"
    case xcode = "Xcode"
    case localTesting = "LocalTesting"

    /// Whether the data of this environment is signed on a developer's machine instead of by the App Store.
    public var isLocal: Bool { self == .xcode || self == .localTesting }
}
