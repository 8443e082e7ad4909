package import EligibilityRules
import OfferStore

/// Why an action on a campaign is refused.
package enum CampaignError: Error, Equatable {
    /// The app has no campaign of this id.
    case unknownCampaign(CampaignName)
    /// A text that cannot be a campaign's id.
    case invalidID(String)
    /// The step cannot be taken from the campaign's position.
    case notNow(CampaignStep, CampaignPosition)
    /// The draft was edited from a revision that is no longer the latest.
    case outdated(basedOn: Int, latest: Int)
    /// The approver is an author, or the access key of one comes from the other's.
    case ownWork(author: String)
    /// There is no such revision, or it is the latest already.
    case unknownRevision(Int, latest: Int)
    /// Nothing was published, or not by the time that was asked for: there is nothing to count.
    case nothingPublished(CampaignName)
    /// Too many counts are under way: of results, or of audiences.
    case busy
    /// The findings that keep it from being published.
    case faulty([CampaignFinding])
    /// The document has more than `maxBytes` bytes.
    case tooLarge(maxBytes: Int)
    /// The faults of a list of testers.
    case invalidTesters([FieldFault])
}

extension CampaignError: CustomStringConvertible {
    /// A sentence with a remedy.
    package var description: String {
        switch self {
        case .unknownCampaign(let name): "there is no campaign \(name.id) of \(name.bundleID)"
        case .invalidID(let id) where Campaign.isID(id):
            "\"\(id)\" is a word of the service's own addresses, as new, reach and try are; give the campaign another id"
        case .invalidID(let id):
            "\"\(id)\" cannot be a campaign's id; give small letters, digits and single hyphens, as in spring-winback"
        case .notNow(let step, let position): Self.remedy(step, position)
        case .outdated(let basedOn, let latest):
            "the draft was edited from revision \(basedOn), and revision \(latest) was published since; look at what that changed, "
                + "then save the draft as edited from revision \(latest)"
        case .ownWork(let author):
            "\(author) has written of this, and somebody else has to approve it: neither an author "
                + "nor somebody whose access key comes from one; if everybody has, discard the draft and let one of you save it anew"
        case .unknownRevision(let number, let latest):
            number == latest
                ? "revision \(number) is the latest already; name an earlier one"
                : "there is no revision \(number); the latest is \(latest)"
        case .nothingPublished(let name):
            "nothing of the campaign \(name.id) was published by then, so nobody was exposed; publish it, or ask with a later asOf"
        case .busy: "too much is being counted at once; try again when some of it is done"
        case .faulty(let findings):
            "it cannot be published as it is: " + findings.map { "\($0.path): \($0.message)" }.joined(separator: " ")
        case .invalidTesters(let faults):
            "nobody's place was changed: " + faults.map { "\($0.name) \($0.reason)" }.joined(separator: "; ")
        case .tooLarge(let maxBytes): "a campaign may have \(maxBytes) bytes; move conditions into segments"
        }
    }

    private static func remedy(_ step: CampaignStep, _ position: CampaignPosition) -> String {
        if position.standing == .ended { return "the campaign has ended; make a new one" }
        let standing = position.standing.rawValue
        return switch step {
        case .pause, .resume, .end, .setTesters: "cannot \(step.rawValue) a campaign that is \(standing)"
        case .rollBack: "nothing of the campaign was published that could be rolled back"
        case .save, .discard, .submit, .approve, .reject, .publish:
            switch position.phase {
            case .none: "there is no draft; save one first"
            case .writing: "the draft was not submitted; submit it first"
            case .inReview: "the draft is in review; somebody else has to approve or reject it first"
            case .approved: "the draft is approved; publish or reject it, or save it anew"
            case .rejected: "the draft was rejected; change and submit it"
            }
        }
    }
}

extension CampaignError: FailureDescribing {
    /// The failure of `busy`. The caller is to blame for all other errors.
    package var asFailure: Failure { Failure(.load, "busy", "too many countings of campaigns at once") }
}
