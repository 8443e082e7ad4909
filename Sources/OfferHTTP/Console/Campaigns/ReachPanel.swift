import EligibilityRules
import OfferService
import WireText

/// Counts the stored customers who are in the audience that the editor shows.
struct ReachPanel: Sendable {
    /// The result of a count.
    enum Finding: Sendable {
        /// No count was requested.
        case nothing
        case counting(CountingProgress)
        case counted(AudienceCount, AudienceFunnel, at: Instant)
        /// The audience cannot be counted. There is a sentence for each reason.
        case refused([String])

        var isCounting: Bool { if case .counting = self { true } else { false } }
    }

    // If counting takes longer than this, the user sees how far it has come.
    private static let patience = Duration.seconds(1)

    let reach: CampaignReach
    let campaigns: CampaignAdministration

    /// Counts the audience of a draft.
    ///
    /// If the draft has faults, they are returned and not thrown as an error, so that the user's form is shown again.
    func count(_ json: JSONValue, _ form: CampaignForm, _ visit: CampaignVisit) async throws -> Finding {
        let words = FindingWords(form: form, zone: visit.zone)
        do {
            let audience = try json.member("audience").map { try Condition(json: $0, at: "audience") }
            let copies = try await campaigns.withSegments(CampaignText(json: json), of: visit.app).legible?.segments ?? []
            return
                switch try await reach.count(
                    audience?.withSegmentsPutIn(Segments(copies)), of: visit.app.withPurchases(), within: Self.patience)
            {
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
