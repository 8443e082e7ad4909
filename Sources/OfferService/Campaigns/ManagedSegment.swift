package import EligibilityRules
import OfferStore
import WireText

/// A stored segment as people see it.
package struct ManagedSegment: Sendable {
    /// The segment, with the number of its version.
    package let segment: Segment
    /// The act that made this version.
    package let changed: CampaignAct

    /// Nil if this release cannot read it.
    init?(_ record: SegmentRecord) {
        guard let json = try? JSONValue(parsing: record.document), let segment = try? Segment(json: json) else { return nil }
        self.segment = Segment(
            id: segment.id, name: segment.name, condition: segment.condition, version: Int(record.version))
        changed = record.changed
    }

    /// The number of the version, from 1.
    package var version: Int64 { Int64(segment.version ?? 0) }
}
