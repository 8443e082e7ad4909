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

    /// Reads a document. The path of a fault begins with `campaigns` or `segments`.
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

    /// The document as JSON. Equal documents give the same bytes.
    package var json: JSONValue {
        .members([
            "segments": segments.isEmpty ? nil : .array(segments.map(\.json)), "campaigns": .array(campaigns.map(\.json)),
        ])
    }
}

extension CampaignDocument {
    /// The change of one campaign or segment.
    package struct Change: Equatable, Sendable {
        /// The campaign or segment in words, such as `segment loyal`.
        package let subject: String
        /// The differences, one line each; not empty.
        package let lines: [String]
    }

    /// What changes from this document to a newer one.
    ///
    /// The order of campaigns and segments does not matter.
    package func changes(to new: CampaignDocument) -> [Change] {
        let campaigns = Self.changes(
            campaigns, new.campaigns, key: { "campaign \($0.id) of \($0.bundleID)" }, summary: \.summary,
            changes: { $0.changes(to: $1) })
        let segments = Self.changes(
            segments, new.segments, key: { "segment \($0.id)" }, summary: { "\($0.name); \(ConditionText.words($0.condition))" },
            changes: { $0.changes(to: $1) })
        return campaigns + segments
    }

    private static func changes<Value>(
        _ old: [Value],
        _ new: [Value],
        key: (Value) -> String,
        summary: (Value) -> String,
        changes: (Value, Value) -> [String]
    ) -> [Change] {
        let before = Dictionary(old.map { (ExactText(key($0)), $0) }, uniquingKeysWith: { first, _ in first })
        let after = Dictionary(new.map { (ExactText(key($0)), $0) }, uniquingKeysWith: { first, _ in first })
        return Set(before.keys).union(after.keys).sorted().compactMap { key in
            let lines =
                switch (before[key], after[key]) {
                case (let old?, let new?): changes(old, new)
                case (let old?, nil): ["taken out: \(summary(old))"]
                case (nil, let new?): ["new: \(summary(new))"]
                case (nil, nil): [String]()
                }
            return lines.isEmpty ? nil : Change(subject: key.string, lines: lines)
        }
    }
}
