public import EligibilityRules

/// Stores what a process needs to detect a wrong clock after a restart.
public protocol ClockStore: Sendable {
    /// The stored state of the clock.
    func clockRecord() async throws(StoreError) -> ClockRecord

    /// Stores an operator's statement that this is the current time.
    func accept(_ instant: Instant) async throws(StoreError)

    /// Disregards the times of all earlier signatures, and stores this as the current time. Rows and nonces do not change.
    ///
    /// Returns how many of the latest requests, at most 5,000, were signed at a later time.
    func repair(at instant: Instant) async throws(StoreError) -> Int
}
