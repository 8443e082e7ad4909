package import EligibilityRules
package import WireText

/// What a draft or a revision says, as it is kept: a draft may be unfinished, so that nothing that somebody wrote is lost.
package struct CampaignText: Sendable {
    /// As it was written.
    package let json: JSONValue
    /// Nil where something of it cannot be read.
    package let campaign: Campaign?
    /// Why not.
    package let faults: [FieldFault]
    /// With what has a fault left empty; nil where nothing can be read.
    let legible: Campaign?

    /// Reads a document of the store.
    init(_ document: [UInt8]) {
        do { self.init(json: try JSONValue(parsing: document)) } catch {
            self.init(json: .null, legible: nil, faults: [FieldFault(name: "", reason: "is no JSON: \(error.reason)")])
        }
    }

    /// Reads what somebody has written.
    package init(json: JSONValue) {
        let reading = DocumentReading(.json)
        let legible = Campaign(json, at: "", reading)
        self.init(json: json, legible: legible, faults: reading.faults)
    }

    private init(json: JSONValue, legible: Campaign?, faults: [FieldFault]) {
        self.json = json
        self.legible = legible
        self.faults = faults
        campaign = faults.isEmpty ? legible : nil
    }

    /// As it is kept: what can be read with the same bytes every time.
    var document: [UInt8] { (campaign?.json ?? json).bytes }
}

extension CampaignText {
    /// What another version says differently, one line for each field.
    ///
    /// - Parameter old: nil: there was nothing before.
    package static func changes(from old: CampaignText?, to new: CampaignText?) -> [String] {
        switch (old, new) {
        case (nil, nil): []
        case (nil, let new?): new.campaign.map { ["new: \($0.summary)"] } ?? ["new, and not readable yet"]
        case (_?, nil): ["taken out"]
        case (let old?, let new?):
            if let before = old.campaign, let after = new.campaign {
                before.changes(to: after)
            }
            // What cannot be read has no fields; that it differs can be told.
            else if old.json == new.json {
                []
            } else {
                ["the text: one of the two versions cannot be read; the draft's findings say why"]
            }
        }
    }
}
