/// Tells what has changed, whoever changed it: one feed for all that processes keep in memory.
public protocol ChangeFeed: Sendable {
    /// How often each topic was changed, in one look that is cheap to repeat. What never was has 0.
    func revisions() async throws(StoreError) -> [ChangeTopic: Int64]
}
