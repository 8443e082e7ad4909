public import EligibilityRules

/// Sessions of the console, and sign-in links.
public protocol SessionStore: Sendable {
    /// Adds a session, and deletes those that began before an instant.
    func add(_ session: SessionRecord, forgettingBefore instant: Instant) async throws(StoreError)

    /// The session with a digest; nil if there is none.
    func session(digest: [UInt8]) async throws(StoreError) -> SessionRecord?

    /// All sessions of an access key, the latest first.
    func sessions(accessID: String) async throws(StoreError) -> [SessionRecord]

    /// Notes that a session was used.
    func noteUse(digest: [UInt8], at instant: Instant) async throws(StoreError)

    /// Ends a session. Returns false if there is none; of several concurrent calls only one returns true.
    func end(digest: [UInt8]) async throws(StoreError) -> Bool

    /// Ends all sessions of an access key. Returns how many there were.
    func endAll(accessID: String) async throws(StoreError) -> Int
}
