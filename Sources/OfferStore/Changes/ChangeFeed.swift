/// Reports changes made by any process. One feed serves all data that processes hold in memory.
public protocol ChangeFeed: Sendable {
    /// The number of changes of each topic, 0 if never changed, in one query that is cheap to repeat.
    func revisions() async throws(StoreError) -> [ChangeTopic: Int64]
}
