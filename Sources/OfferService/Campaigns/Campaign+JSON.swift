package import EligibilityRules
package import WireText

extension Campaign {
    /// The names of a campaign's fields, in the order of documents.
    package static let fieldNames = CampaignField.all.map(\.name)

    /// Reads a campaign as marketing writes it. The path of a fault begins with a field of the campaign.
    package init(json: JSONValue, _ notation: DocumentNotation = .json) throws(CampaignFaults) {
        self = try DocumentReading.read(notation) { Campaign(json, at: "", $0) }
    }

    /// Reads a campaign. A field with a fault stays empty; nil if the value is not an object.
    init?(_ json: JSONValue, at path: String, _ reading: DocumentReading) {
        guard let fields = DocumentFields(json, at: path, known: Campaign.fieldNames, reading) else { return nil }
        self.init(id: "", name: "", bundleID: "", design: CampaignDesign(variants: []))
        // The order of reading is also the order in which faults are listed.
        for field in CampaignField.all { field.read(fields, &self) }
    }

    /// The campaign as JSON. Equal campaigns give the same bytes; values that are defaults are included.
    package var json: JSONValue {
        .object(
            CampaignField.all.compactMap { field in
                field.json(self).map { JSONValue.Member(name: field.name, value: $0) }
            })
    }

    /// What changes from this version to a newer one, one line for each field that changes, in the order of the fields.
    package func changes(to new: Campaign) -> [String] { CampaignField.all.flatMap { $0.changes(self, new) } }
}
