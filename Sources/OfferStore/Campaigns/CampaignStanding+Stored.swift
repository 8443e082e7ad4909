extension CampaignStanding {
    /// Parses a stored value. Throws `damaged` if it is unknown.
    package init(stored text: String) throws(StoreError) {
        guard let standing = CampaignStanding(rawValue: text) else {
            throw StoreError(.damaged, "a campaign has no known standing")
        }
        self = standing
    }
}
