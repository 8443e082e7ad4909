/// All signing keys at one moment. It is immutable, so that signing needs no lock; a change makes a new key ring.
public struct KeyRing: Sendable {
    /// A key with its state and the apps that it belongs to.
    public struct Entry: Sendable {
        /// The loaded key.
        public let key: SigningKey
        /// The state of the key according to the key folder.
        public let state: KeyState
        /// The states that users have decided for single apps later, by bundle id. For these apps they replace `state`.
        public let decided: [String: KeyState]
        /// The bundle ids of the apps that the key belongs to; nil if it belongs to every app.
        public let apps: Set<String>?

        /// - Parameter decided: the states that users have decided for single apps, by bundle id.
        public init(key: SigningKey, state: KeyState, apps: Set<String>?, decided: [String: KeyState] = [:]) {
            self.key = key
            self.state = state
            self.decided = decided
            self.apps = apps
        }

        /// Whether the key belongs to an app, whatever its state is.
        public func serves(_ bundleID: String) -> Bool { apps?.contains(bundleID) ?? true }

        /// Returns the state of the key in an app.
        public func state(in bundleID: String) -> KeyState { decided[bundleID] ?? state }

        /// Whether the key signs for an app.
        func isActive(in bundleID: String) -> Bool { serves(bundleID) && state(in: bundleID) == .active }
    }

    /// All keys, in the given order.
    public let entries: [Entry]
    /// The bundle ids of all apps.
    public let bundleIDs: [String]
    private let activeByApp: [String: SigningKey]

    /// Creates a snapshot for these apps.
    ///
    /// Throws if one key has two ids, if two keys have one id, or if an app has several active keys. An app without an active key
    /// is not an error here: the service starts, and reports that it is not ready for this app.
    public init(entries: [Entry], bundleIDs: [String]) throws(SigningError) {
        try KeyRing.checkDistinct(entries)
        var activeByApp: [String: SigningKey] = [:]
        for bundleID in bundleIDs {
            let active = entries.filter { $0.isActive(in: bundleID) }
            guard active.count <= 1 else {
                let ids = active.map(\.key.id).joined(separator: ", ")
                throw SigningError(.severalActive, "app \(bundleID) has several active keys (\(ids)); exactly one may be")
            }
            activeByApp[bundleID] = active.first?.key
        }
        self.entries = entries
        self.bundleIDs = bundleIDs
        self.activeByApp = activeByApp
    }

    /// Returns the key that signs for an app; nil if the app has no active key.
    public func active(for bundleID: String) -> SigningKey? { activeByApp[bundleID] }

    /// The keys that sign for at least one app, in the given order.
    public var activeKeys: [SigningKey] {
        let ids = Set(activeByApp.values.map(\.id))
        return entries.map(\.key).filter { ids.contains($0.id) }
    }

    /// Returns all keys that may have signed for an app, the active key first.
    public func keys(for bundleID: String) -> [SigningKey] {
        let serving = entries.filter { $0.serves(bundleID) }
        return (serving.filter { $0.isActive(in: bundleID) } + serving.filter { !$0.isActive(in: bundleID) }).map(\.key)
    }

    /// Returns the ids of the keys that are revoked in an app.
    public func revokedIDs(in bundleID: String) -> Set<String> {
        Set(entries.filter { $0.state(in: bundleID) == .revoked }.map(\.key.id))
    }

    private static func checkDistinct(_ entries: [Entry]) throws(SigningError) {
        var idByFingerprint: [String: String] = [:]
        var ids: Set<String> = []
        for key in entries.map(\.key) {
            guard ids.insert(key.id).inserted else {
                throw SigningError(.duplicateKey, "key id \(key.id) is given twice")
            }
            if let other = idByFingerprint.updateValue(key.id, forKey: key.fingerprint) {
                throw SigningError(.duplicateKey, "\(other) and \(key.id) are the same key (\(key.fingerprint))")
            }
        }
    }
}
