import EligibilityRules
import OfferService
import WireText

/// The state of a segment's page: its form, and the messages about it.
struct SegmentState {
    /// The saved segment; nil if it is not created yet.
    var segment: ManagedSegment?
    /// The form. It is a campaign's form, of which only the id, the name and the audience are shown.
    var form: CampaignForm
    /// The version of the segment from which the form was made; 0 for a new segment.
    var seen: Int64
    var reason = ""
    var errors = FormErrors.none
    /// The segment as another user has saved it since the form was made; nil if none has.
    var conflict: ManagedSegment?
    var done: NoticeView?
    /// Whether the form has unsaved input.
    var isUnsaved = false

    /// Creates the form of a segment, or an empty form if `segment` is nil.
    init(_ segment: ManagedSegment?, _ visit: CampaignVisit, done: NoticeView? = nil) {
        let json = segment?.segment.json ?? .object([])
        self.segment = segment
        form = CampaignForm(json.setting("audience", json.member("condition")), in: visit.zone)
        seen = segment?.version ?? 0
        self.done = done
    }

    /// Returns the segment that the form describes.
    ///
    /// Throws its faults if it cannot be read.
    func written() throws(CampaignFaults) -> Segment {
        try Segment(
            json: .members(["id": .string(form[.id]), "name": .string(form[.name]), "condition": form.audience.audience]))
    }

    /// Shows the findings beside the inputs that they are about.
    mutating func show(_ findings: [CampaignFinding], _ visit: CampaignVisit) {
        let (places, words) = (FieldPlaces(form), FindingWords(form: form, zone: visit.zone))
        errors = FormErrors(
            findings.map { finding in
                let isCondition = finding.path.hasPrefix("condition")
                let path = isCondition ? "audience" + finding.path.dropFirst("condition".count) : finding.path
                // If the segment has no condition, there is no input for one. The fault is then shown beside the choice of how
                // the group's parts are joined.
                if isCondition, form.audience.audience == nil { return ("c.kind", "The segment has no condition. Add one.") }
                return (places.id(of: path).id, words.text(finding))
            })
    }

    /// Returns the address to which the form is sent.
    func action(_ visit: CampaignVisit) -> String { segment.map { visit.segmentPath($0.segment.id) } ?? visit.segmentPath("new") }
}
