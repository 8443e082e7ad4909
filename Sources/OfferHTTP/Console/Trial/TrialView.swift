import OfferService
import WireText

/// The page that tries campaigns on one customer: its form, and the outcome.
struct TrialView: PageView {
    static let template = "try"

    let app: String
    /// The path that the form is sent to.
    let action: String
    /// The form's fields as they were sent.
    let id: String
    let at: String
    let atTime: String
    let placement: String
    let attributes: String
    /// The name of the reader's time zone.
    let zone: String
    /// The campaigns with a draft.
    let drafts: [FieldView.Choice]
    /// Whether the form says what the app would say.
    let isSaid: Bool
    /// Why the trial did not take place.
    let error: String?
    let answer: TrialAnswerView?

    /// Creates the page.
    ///
    /// - Parameters:
    ///   - query: the form's fields.
    ///   - said: the attributes that the app would send.
    ///   - with: the id of the campaign that is tried with its draft.
    init(
        _ query: [String: String],
        said: [String],
        drafts: [ManagedCampaign],
        with: String?,
        answer: TrialAnswerView?,
        error: String?,
        _ visit: CampaignVisit
    ) {
        app = visit.app.bundleID
        action = "/console/apps/\(PercentEncoding.encoded(visit.app.bundleID))/try"
        id = query["id"] ?? ""
        at = query["at"] ?? ""
        atTime = query["at-time"] ?? ""
        placement = query["placement"] ?? ""
        attributes = query["attributes"] ?? ""
        zone = visit.zone.label
        self.drafts = drafts.map {
            FieldView.Choice(id: $0.name.id, label: CampaignHead.name($0), isChosen: $0.name.id == with)
        }
        isSaid = !said.isEmpty || !placement.isEmpty
        self.error = error
        self.answer = answer
    }
}
