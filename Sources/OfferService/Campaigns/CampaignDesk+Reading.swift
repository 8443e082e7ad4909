package import OfferStore

// Reading campaigns.
extension CampaignDesk {
    /// The campaigns of an app, in the order of their ids.
    ///
    /// - Parameter id: only those after this one; nil: from the first.
    package func list(of bundleID: String, after id: String? = nil, limit: Int) async throws(StoreError) -> [CampaignRecord] {
        try await store.campaigns(of: bundleID, after: id, limit: limit)
    }

    /// One campaign. Throws `CampaignError.unknownCampaign` or a `StoreError`.
    package func campaign(_ name: CampaignName) async throws -> CampaignRecord {
        guard let record = try await store.campaign(id: name.id, bundleID: name.bundleID) else {
            throw CampaignError.unknownCampaign(name)
        }
        return record
    }

    /// The published revisions of a campaign, the latest first.
    ///
    /// - Parameter number: only those with smaller numbers; nil: from the latest.
    package func revisions(
        of name: CampaignName,
        before number: Int? = nil,
        limit: Int
    ) async throws -> [CampaignPublication] {
        let found = try await store.publications(of: name.id, bundleID: name.bundleID, before: number, limit: limit)
        if found.isEmpty { _ = try await campaign(name) }
        return found
    }

    /// The activity of a campaign, the latest first.
    ///
    /// - Parameters:
    ///   - number: only earlier entries; nil: from the latest.
    ///   - hasReason: only entries with a reason.
    package func activity(
        of name: CampaignName,
        before number: Int64? = nil,
        hasReason: Bool = false,
        limit: Int
    ) async throws -> [CampaignActivity] {
        let found = try await store.activity(
            of: name.id, bundleID: name.bundleID, before: number, hasReason: hasReason, limit: limit)
        if found.isEmpty { _ = try await campaign(name) }
        return found
    }

    /// One published revision. Throws `CampaignError.unknownRevision`, too.
    package func revision(_ number: Int, of name: CampaignName) async throws -> CampaignPublication {
        if let found = try await store.publication(number, of: name.id, bundleID: name.bundleID) { return found }
        throw CampaignError.unknownRevision(number, latest: try await campaign(name).latest)
    }
}
