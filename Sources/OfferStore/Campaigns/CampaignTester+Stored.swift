package import EligibilityRules

extension CampaignTester {
    /// Parses stored values. Throws `damaged` if they are unknown.
    ///
    /// - Parameter fields: kind, id, variant and note.
    package init(stored fields: [String]) throws(StoreError) {
        guard fields.count == 4, let kind = BucketingUnit(rawValue: fields[0]) else {
            throw StoreError(.damaged, "a tester of a campaign goes by no known kind of id")
        }
        self.init(kind: kind, id: fields[1], variant: fields[2], note: fields[3])
    }
}
