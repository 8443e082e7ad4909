import EligibilityRules
import OfferService
import WireText

/// The state of a segment's page: its form, and the messages about it.
struct SegmentState {
    /// The segment; nil: it is not made yet.
    var segment: ManagedSegment?
    /// Of a campaign's form only the id, the name and the audience are shown.
    var form: CampaignForm
    /// The version that the form was made from; 0: there was none.
    var seen: Int64
    var reason = ""
    var errors = FormErrors.none
    /// Another user's change, which came first.
    var conflict: ManagedSegment?
    var done: NoticeView?

    /// Creates the form of a segment; nil: an empty one.
    init(_ segment: ManagedSegment?, _ visit: CampaignVisit, done: NoticeView? = nil) {
        let json = segment?.segment.json ?? .object([])
        self.segment = segment
        form = CampaignForm(json.setting("audience", json.member("condition")), in: visit.zone)
        seen = segment?.version ?? 0
        self.done = done
    }

    /// Returns the segment as it is written, or its faults.
    func written() throws(CampaignFaults) -> Segment {
        try Segment(
            json: .members(["id": .string(form[.id]), "name": .string(form[.name]), "condition": form.audience.audience]))
    }

    /// Places the findings beside the inputs.
    mutating func show(_ findings: [CampaignFinding], _ visit: CampaignVisit) {
        let (places, words) = (FieldPlaces(form), FindingWords(form: form, zone: visit.zone))
        errors = FormErrors(
            findings.map { finding in
                let isCondition = finding.path.hasPrefix("condition")
                let path = isCondition ? "audience" + finding.path.dropFirst("condition".count) : finding.path
                // Without a condition the form has no input of one.
                if isCondition, form.audience.audience == nil { return ("c.kind", "The segment has no condition. Add one.") }
                return (places.id(of: path).id, words.text(finding))
            })
    }

    /// The address that the form is sent to.
    func action(_ visit: CampaignVisit) -> String { segment.map { visit.segmentPath($0.segment.id) } ?? visit.segmentPath("new") }
}
