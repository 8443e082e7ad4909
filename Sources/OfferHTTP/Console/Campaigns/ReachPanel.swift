import EligibilityRules
import OfferService
import WireText

/// Counts, beside the editor, how many stored customers the audience in it has.
struct ReachPanel: Sendable {
    /// What is found.
    enum Finding: Sendable {
        /// Nobody has asked.
        case nothing
        case counting(CountingProgress)
        case counted(AudienceCount, AudienceFunnel, at: Instant)
        /// Why it is not counted, a sentence each.
        case refused([String])

        var isCounting: Bool { if case .counting = self { true } else { false } }
    }

    // Who waits longer is told how far it is.
    private static let patience = Duration.seconds(1)

    let reach: CampaignReach

    /// How far it is, of what a draft says; what is wrong with that is told, so that nobody loses the form it stands in.
    func count(_ json: JSONValue, _ form: CampaignForm, _ visit: CampaignVisit) async throws -> Finding {
        let words = FindingWords(form: form, zone: visit.zone)
        do {
            let audience = try json.member("audience").map { try Condition(json: $0, at: "audience") }
            return switch try await reach.count(audience, of: visit.app.withPurchases(), within: Self.patience) {
            case .counting(let progress): .counting(progress)
            case .counted(let count, let funnel, let instant): .counted(count, funnel, at: instant)
            }
        } catch let faults as CampaignFaults {
            return .refused(faults.faults.map { words.text(.unreadable($0.name, "It \($0.reason).")) })
        } catch let unreadable as AudienceFunnel.Unreadable {
            return .refused(unreadable.findings.map(words.text))
        } catch let error as CampaignError {
            return .refused(["\(error)".firstUppercased])
        } catch let error as AppError {
            return .refused(["\(error)".firstUppercased])
        }
    }
}
