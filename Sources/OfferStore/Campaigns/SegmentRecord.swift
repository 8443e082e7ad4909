public import EligibilityRules

/// A stored segment of an app: a named condition that campaigns copy.
public struct SegmentRecord: Equatable, Sendable {
    /// Unique in the app.
    public let id: String
    /// The app's bundle id.
    public let bundleID: String
    /// Number of versions, including the first: 1 for a new segment.
    public let version: Int64
    /// The segment's content: JSON, which the store does not parse.
    public let document: [UInt8]
    /// The act that made this version.
    public let changed: CampaignAct

    /// Stores the given values without checking them.
    public init(id: String, bundleID: String, version: Int64, document: [UInt8], changed: CampaignAct) {
        self.id = id
        self.bundleID = bundleID
        self.version = version
        self.document = document
        self.changed = changed
    }
}

extension [AuditEvent] {
    /// Returns the same events with the states of a segment before and after the change; nil where it does not exist.
    package func telling(_ before: SegmentRecord?, _ after: SegmentRecord?, _ functions: AuditFunctions) -> [AuditEvent] {
        map { $0.telling(before: before?.auditText(functions), after: after?.auditText(functions)) }
    }
}

extension SegmentRecord {
    /// The version and the whole segment, as a text for the audit log.
    ///
    /// Campaigns contain copies of segments. With this text the log proves which customers such a copy selects.
    func auditText(_ functions: AuditFunctions) -> String {
        let row = functions.text(ofRow: [functions.text(of: document)] + changed.auditValues)
        return "version \(version) \(String(decoding: document, as: UTF8.self)), \(row)"
    }
}
