package import EligibilityRules
package import WireText

/// The text of a draft or a revision, as it is kept. A draft may be unfinished, so that nothing that was written is lost.
package struct CampaignText: Sendable {
    /// The text in the form in which it was written.
    package let json: JSONValue
    /// The campaign; nil if a part of the text cannot be read.
    package let campaign: Campaign?
    /// Why the text cannot be read; empty if it can.
    package let faults: [FieldFault]
    /// The campaign with faulty fields left empty; nil if nothing can be read.
    package let legible: Campaign?

    /// Reads a stored document.
    init(_ document: [UInt8]) {
        do { self.init(json: try JSONValue(parsing: document)) } catch {
            self.init(json: .null, legible: nil, faults: [FieldFault(name: "", reason: "is not JSON: \(error.reason)")])
        }
    }

    /// Reads a text in the form in which it was written.
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

    /// Returns the text with copies of the segments that its audience names.
    ///
    /// - Parameter sources: where the copies come from. The first source that has a segment gives the copy. If none has it, the
    ///   text keeps the copy that it has.
    func withSegments(from sources: [Segments]) -> CampaignText {
        guard let legible else { return self }
        let segments = legible.withSegments(from: sources + [Segments(legible.segments)]).segments
        return CampaignText(json: json.setting("segments", segments.isEmpty ? nil : .array(segments.map(\.json))))
    }

    /// The bytes that are stored. If the text can be read, equal campaigns give the same bytes.
    var document: [UInt8] { (campaign?.json ?? json).bytes }
}

extension CampaignText {
    /// What changes from one version to another, one line for each field.
    ///
    /// - Parameters:
    ///   - old: the earlier version; nil if there was none.
    ///   - new: the later version; nil if there is none any more.
    package static func changes(from old: CampaignText?, to new: CampaignText?) -> [String] {
        switch (old, new) {
        case (nil, nil): []
        case (nil, let new?): new.campaign.map { ["new: \($0.summary)"] } ?? ["new, and not readable yet"]
        case (_?, nil): ["taken out"]
        case (let old?, let new?):
            if let before = old.campaign, let after = new.campaign {
                before.changes(to: after)
            }
            // A text that cannot be read has no fields that could be compared. It is only known whether the two texts differ.
            else if old.json == new.json {
                []
            } else {
                ["the text: one of the two versions cannot be read; the draft's findings say why"]
            }
        }
    }
}
