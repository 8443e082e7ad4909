import OfferSigning

/// Says which key signs for an app, and whether a key may still sign.
package protocol OfferKeys: Sendable {
    /// The active key of an app; nil if there is none.
    func activeKey(for bundleID: String) -> (any OfferKey)?

    /// Whether a signature that a key has just made may be sent.
    func isGood(_ keyID: String, for bundleID: String) -> Bool

    /// Why an app has no active key.
    func noActiveKey(for bundleID: String) -> IssueError

    /// Reads the keys again, so that all decisions that were made before this call are in force.
    func refresh() async throws
}

extension OfferKeys {
    /// The key that signs for an app in its environment; nil if there is none.
    func activeKey(of app: App) -> (any OfferKey)? {
        if let own = app.ownKey { return own }
        return activeKey(for: app.bundleID)
    }

    /// Whether a signature that a key has just made for an app in its environment may be sent.
    func isGood(_ keyID: String, of app: App) -> Bool {
        if let own = app.ownKey { return own.id == keyID }
        return isGood(keyID, for: app.bundleID)
    }
}

extension CurrentKeyRing: OfferKeys {
    package func activeKey(for bundleID: String) -> (any OfferKey)? { current.active(for: bundleID) }

    package func noActiveKey(for bundleID: String) -> IssueError {
        let lock = locks.first { $0.bundleID == bundleID }
        return .notReady(lock?.reason ?? "the app \(bundleID) has no active key", of: .keys)
    }

    package func isGood(_ keyID: String, for bundleID: String) -> Bool {
        let ring = current
        return !ring.revokedIDs(in: bundleID).contains(keyID) && ring.keys(for: bundleID).contains { $0.id == keyID }
    }
}

/// A signing key of an app. A key in memory signs at once. A key in a hardware module answers later.
package protocol OfferKey: Sendable {
    /// Apple's key id.
    var id: String { get }

    /// Signs all inputs of a request. There is one output for each input, in the same order.
    func sign(_ inputs: [SigningInput]) throws -> Signing
}
