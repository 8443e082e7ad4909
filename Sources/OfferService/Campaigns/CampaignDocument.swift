package import EligibilityRules
package import WireText

/// Campaigns as code: the content of a file that is imported or exported.
package struct CampaignDocument: Equatable, Sendable {
    package var campaigns: [Campaign]
    /// The segments that conditions of the campaigns refer to.
    package var segments: [Segment]

    package init(campaigns: [Campaign], segments: [Segment] = []) {
        self.campaigns = campaigns
        self.segments = segments
    }

    /// Reads a document; paths of faults begin with `campaigns` or `segments`.
    package init(json: JSONValue, _ notation: DocumentNotation = .json) throws(CampaignFaults) {
        self = try DocumentReading.read(notation) { reading in
            guard let fields = DocumentFields(json, at: "", known: ["campaigns", "segments"], reading) else { return nil }
            if json.member("campaigns") == nil, json.member("segments") == nil {
                reading.refuse("campaigns", "is missing: give a list of campaigns, or of segments")
            }
            let segments = fields.list("segments") { Segment($0, at: $1, reading) }
            return CampaignDocument(campaigns: fields.list("campaigns") { Campaign($0, at: $1, reading) }, segments: segments)
        }
    }

    /// The same document as JSON, with the same bytes every time.
    package var json: JSONValue {
        .members([
            "segments": segments.isEmpty ? nil : .array(segments.map(\.json)), "campaigns": .array(campaigns.map(\.json)),
        ])
    }
}
