public import EligibilityRules

/// Who is signed in to the console.
public protocol SessionStore: Sendable {
    /// Adds one, and forgets those that began before an instant.
    func add(_ session: SessionRecord, forgettingBefore instant: Instant) async throws(StoreError)

    /// The one of a digest; nil if there is none.
    func session(digest: [UInt8]) async throws(StoreError) -> SessionRecord?

    /// Every one of an access key, the latest first.
    func sessions(accessID: String) async throws(StoreError) -> [SessionRecord]

    /// Notes that it was seen.
    func noteUse(digest: [UInt8], at instant: Instant) async throws(StoreError)

    /// Ends it. False if there is none: of several who end the same one only one is told true.
    func end(digest: [UInt8]) async throws(StoreError) -> Bool

    /// Ends all of an access key. Returns how many those were.
    func endAll(accessID: String) async throws(StoreError) -> Int
}
