package import EligibilityRules
package import OfferStore

/// A step with what it takes.
package enum CampaignChange: Equatable, Sendable {
    /// A draft; what it was edited from is nil where that is as before, or the latest revision for a new draft.
    case save([UInt8], basedOn: Int? = nil)
    case discard, submit, approve, reject, publish, pause, resume, end
    /// The earlier revision that is published again.
    case rollBack(CampaignPublication)
    /// All who try it out from now on.
    case setTesters([CampaignTester])

    /// Which step it is.
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
        }
    }

    /// The document that somebody wants to keep; nil where it is about what is kept.
    var document: [UInt8]? {
        guard case .save(let document, _) = self else { return nil }
        return document
    }

    /// What is published by it, or would be next; also before somebody is asked to look at it. Nil: nothing.
    func document(inQuestionOf record: CampaignRecord) -> [UInt8]? {
        switch self {
        case .submit, .approve, .publish: record.draft?.document
        case .rollBack(let earlier): earlier.document
        case .save, .discard, .reject, .pause, .resume, .end, .setTesters: nil
        }
    }
}
