extension CampaignStanding {
    /// Takes what is stored. Throws what is damaged.
    package init(stored text: String) throws(StoreError) {
        guard let standing = CampaignStanding(rawValue: text) else {
            throw StoreError(.damaged, "a campaign has no known standing")
        }
        self = standing
    }
}
