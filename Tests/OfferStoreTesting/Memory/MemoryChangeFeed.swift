import OfferStore

/// What has changed in stores in memory.
struct MemoryChangeFeed: ChangeFeed {
    let access: MemoryAccessStore
    let keys: MemoryKeyStore
    let campaigns: MemoryCampaignStore

    func revisions() async throws(StoreError) -> [ChangeTopic: Int64] {
        try await access.revisions().merging([.keys: keys.revision, .campaigns: campaigns.revision]) { $1 }
    }
}
