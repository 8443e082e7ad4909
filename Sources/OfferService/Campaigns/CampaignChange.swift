package import EligibilityRules
package import OfferStore

/// A step in a campaign's life, together with its arguments.
package enum CampaignChange: Equatable, Sendable {
    /// Keeps a document as the draft.
    ///
    /// `basedOn` is the revision that the document was edited from. If nil, it is the revision that the present draft was edited
    /// from or, without a draft, the latest revision. `writers` are the people who wrote the segments that the document has
    /// copies of.
    case save([UInt8], basedOn: Int? = nil, writers: [String] = [])
    case discard, submit, approve, reject, publish, pause, resume, end, archive, unarchive
    /// Adds the reason to the activity, and changes nothing else.
    case note
    /// Publishes a copy of this earlier revision.
    case rollBack(CampaignPublication)
    /// Replaces all testers by these.
    case setTesters([CampaignTester])

    package var step: CampaignStep {
        switch self {
        case .save: .save
        case .discard: .discard
        case .submit: .submit
        case .approve: .approve
        case .reject: .reject
        case .publish: .publish
        case .pause: .pause
        case .resume: .resume
        case .end: .end
        case .rollBack: .rollBack
        case .setTesters: .setTesters
        case .note: .note
        case .archive: .archive
        case .unarchive: .unarchive
        }
    }

    /// The document that is to become the draft; nil for any step but `save`.
    var document: [UInt8]? {
        guard case .save(let document, _, _) = self else { return nil }
        return document
    }

    /// The document that the step publishes, or brings closer to publication; nil for any other step.
    func document(inQuestionOf record: CampaignRecord) -> [UInt8]? {
        switch self {
        case .submit, .approve, .publish: record.draft?.document
        case .rollBack(let earlier): earlier.document
        case .save, .discard, .reject, .pause, .resume, .end, .setTesters, .note, .archive, .unarchive: nil
        }
    }
}
