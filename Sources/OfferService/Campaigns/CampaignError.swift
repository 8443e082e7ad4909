package import EligibilityRules
import OfferStore

/// Why an action on a campaign is refused.
package enum CampaignError: Error, Equatable {
    /// The app has no campaign of this id.
    case unknownCampaign(CampaignName)
    /// The text cannot be the id of a campaign.
    case invalidID(String)
    /// The step cannot be taken from the campaign's position.
    case notNow(CampaignStep, CampaignPosition)
    /// The draft was edited from a revision that is no longer the latest.
    case outdated(basedOn: Int, latest: Int)
    /// The approver and an author may be the same person, because they use the same access key, or one key was made with the
    /// other (`AccessDescent`).
    case ownWork(author: String)
    /// There is no such revision, or it is the latest already.
    case unknownRevision(Int, latest: Int)
    /// There is nothing to count, because the campaign was not published, or not yet at the time that was asked for.
    case nothingPublished(CampaignName)
    /// Too many counts are under way: of results, or of audiences.
    case busy
    /// The findings that keep the campaign from being published.
    case faulty([CampaignFinding])
    /// The document has more than `maxBytes` bytes.
    case tooLarge(maxBytes: Int)
    /// The app has no stored segment of this id.
    case unknownSegment(String)
    /// Campaigns or other segments name the segment.
    ///
    /// `by` lists them in words.
    case segmentInUse(by: [String])
    /// The findings that keep a segment from being saved.
    case faultySegment([CampaignFinding])
    /// The reason or the note does not satisfy the rules for one, for example because it is too long.
    case invalidReason(FieldFault)
    /// The list of testers has these faults.
    case invalidTesters([FieldFault])
}

extension CampaignError: CustomStringConvertible {
    /// What is wrong and what to do about it, in a sentence.
    package var description: String {
        switch self {
        case .unknownCampaign(let name): "there is no campaign \(name.id) of \(name.bundleID)"
        case .invalidID(let id) where Campaign.isID(id):
            "the service uses \"\(id)\" in its own addresses, like new, reach and try; give the campaign another id"
        case .invalidID(let id):
            "\"\(id)\" cannot be a campaign's id; give small letters, digits and single hyphens, as in spring-winback"
        case .notNow(let step, let position): Self.remedy(step, position)
        case .outdated(let basedOn, let latest):
            "the draft was edited from revision \(basedOn), and revision \(latest) was published since; look at its changes, "
                + "then save the draft as edited from revision \(latest)"
        case .ownWork(let author):
            "\(author) is an author of this text, so another person must approve it or roll back to it: neither an author nor a "
                + "person with an access key made by an author; if every approver is an author, let one person save the text as a "
                + "new draft"
        case .unknownRevision(let number, let latest):
            number == latest
                ? "revision \(number) is the latest already; name an earlier one"
                : "there is no revision \(number); the latest is \(latest)"
        case .nothingPublished(let name):
            "the campaign \(name.id) was not published by then, so no customer was exposed; publish it, or ask with a later asOf"
        case .busy: "too many counts run at once; try again when some are done"
        case .faulty(let findings):
            "it cannot be published as it is: " + findings.map { "\($0.path): \($0.message)" }.joined(separator: " ")
        case .invalidReason(let fault): "the \(fault.name) \(fault.reason)"
        case .unknownSegment(let id): "there is no segment \(id)"
        case .segmentInUse(let users):
            "the segment is in use by \(users.joined(separator: ", ")); take it out of these first"
        case .faultySegment(let findings):
            "the segment was not saved: " + findings.map { "\($0.path): \($0.message)" }.joined(separator: " ")
        case .invalidTesters(let faults):
            "the testers were not changed: " + faults.map { "\($0.name) \($0.reason)" }.joined(separator: "; ")
        case .tooLarge(let maxBytes): "a campaign may have \(maxBytes) bytes; move conditions into segments"
        }
    }

    private static func remedy(_ step: CampaignStep, _ position: CampaignPosition) -> String {
        if position.isEnded, step == .archive { return "the campaign is archived already" }
        if position.isEnded, step == .unarchive { return "the campaign is not archived" }
        if position.isEnded { return "the campaign has ended; make a new one" }
        let standing = position.standing.rawValue
        return switch step {
        case .archive, .unarchive: "only a campaign that has ended can be archived; end it first"
        case .pause, .resume, .end, .setTesters, .note: "cannot \(step.rawValue) a campaign that is \(standing)"
        case .rollBack: "the campaign was never published, so it cannot be rolled back"
        case .save, .discard, .submit, .approve, .reject, .publish:
            switch position.phase {
            case .none: "there is no draft; save one first"
            case .writing: "the draft was not submitted; submit it first"
            case .inReview: "the draft is in review; another person must approve or reject it first"
            case .approved: "the draft is approved; publish or reject it, or save it anew"
            case .rejected: "the draft was rejected; change and submit it"
            }
        }
    }
}

extension CampaignError: FailureDescribing {
    /// The failure of `busy`. Other errors are no failures, because the caller can avoid them.
    package var asFailure: Failure { Failure(.load, "busy", "too many counts of campaigns at once") }
}
