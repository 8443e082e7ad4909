package import EligibilityRules
package import WireText

extension Campaign {
    /// The names of a campaign's fields, in the order of documents.
    package static let fieldNames = CampaignField.all.map(\.name)

    /// Reads a campaign as marketing writes it; paths of faults begin with the campaign's own fields.
    package init(json: JSONValue, _ notation: DocumentNotation = .json) throws(CampaignFaults) {
        self = try DocumentReading.read(notation) { Campaign(json, at: "", $0) }
    }

    /// A field that has a fault is left empty.
    init?(_ json: JSONValue, at path: String, _ reading: DocumentReading) {
        guard let fields = DocumentFields(json, at: path, known: Campaign.fieldNames, reading) else { return nil }
        self.init(id: "", name: "", bundleID: "", design: CampaignDesign(variants: []))
        // Faults are listed in the order of reading.
        for field in CampaignField.all { field.read(fields, &self) }
    }

    /// The campaign as JSON, with the same bytes every time; values that are defaults are included.
    package var json: JSONValue {
        .object(
            CampaignField.all.compactMap { field in
                field.json(self).map { JSONValue.Member(name: field.name, value: $0) }
            })
    }

    /// What changes from this version to a newer one, one line for each field, in the order of the fields; empty if nothing does.
    package func changes(to new: Campaign) -> [String] { CampaignField.all.flatMap { $0.changes(self, new) } }
}
