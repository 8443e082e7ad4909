package import EligibilityRules
package import OfferStore

/// A step with its arguments.
package enum CampaignChange: Equatable, Sendable {
    /// A draft. `basedOn` nil: as before, or the latest revision for a new draft. `writers` wrote what it has copies of.
    case save([UInt8], basedOn: Int? = nil, writers: [String] = [])
    case discard, submit, approve, reject, publish, pause, resume, end, archive, unarchive
    /// Adds the reason to the activity, and changes nothing.
    case note
    /// The earlier revision that is published again.
    case rollBack(CampaignPublication)
    /// All testers from now on.
    case setTesters([CampaignTester])

    /// The step.
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

    /// The document that the caller wants to keep; nil for a step that has none.
    var document: [UInt8]? {
        guard case .save(let document, _, _) = self else { return nil }
        return document
    }

    /// The document that the step publishes or brings closer to publication, also by submitting it; nil if there is none.
    func document(inQuestionOf record: CampaignRecord) -> [UInt8]? {
        switch self {
        case .submit, .approve, .publish: record.draft?.document
        case .rollBack(let earlier): earlier.document
        case .save, .discard, .reject, .pause, .resume, .end, .setTesters, .note, .archive, .unarchive: nil
        }
    }
}
