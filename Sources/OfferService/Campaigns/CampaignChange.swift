package import EligibilityRules
package import OfferStore

/// A step with its arguments.
package enum CampaignChange: Equatable, Sendable {
    /// Keeps a document as the draft.
    ///
    /// `basedOn` is the revision from which it was edited; nil for that of the present draft or, if there is none, the latest.
    /// `writers` are the people who wrote the segments that the document has copies of.
    case save([UInt8], basedOn: Int? = nil, writers: [String] = [])
    case discard, submit, approve, reject, publish, pause, resume, end, archive, unarchive
    /// Adds the reason to the activity, and changes nothing.
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

    /// The document that the step publishes, or brings closer to publication by submitting or approving it; nil if there is none.
    func document(inQuestionOf record: CampaignRecord) -> [UInt8]? {
        switch self {
        case .submit, .approve, .publish: record.draft?.document
        case .rollBack(let earlier): earlier.document
        case .save, .discard, .reject, .pause, .resume, .end, .setTesters, .note, .archive, .unarchive: nil
        }
    }
}
