public import EligibilityRules

/// What must outlive a process for it to tell a wrong clock.
public protocol ClockStore: Sendable {
    /// What is known.
    func clockRecord() async throws(StoreError) -> ClockRecord

    /// Keeps that an operator says it is this time now.
    func accept(_ instant: Instant) async throws(StoreError)

    /// Lets the times of all earlier signatures count no more, and keeps that it is this time now. No row changes, and no nonce.
    ///
    /// Returns how many of the latest requests, 5,000 at most, were signed at a later time.
    func repair(at instant: Instant) async throws(StoreError) -> Int
}
