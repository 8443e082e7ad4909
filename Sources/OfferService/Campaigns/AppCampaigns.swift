package import EligibilityRules
import OfferStore

/// What counts of an app's campaigns. A class: decisions pass it around.
package final class AppCampaigns: Sendable {
    /// A campaign that is live and does not count all the same.
    package struct Fault: Hashable, Sendable {
        /// Of the campaign.
        package let id: String
        /// Of its revision.
        package let number: Int
        /// What is wrong with it.
        package let reason: String
    }

    /// None.
    static let none = AppCampaigns([], [], bundleID: "", catalogue: Catalogue(products: []))

    /// Those that are live; the schedule of each says when.
    package let compiled: CompiledCampaigns
    /// What testers try, live or not: in every environment but Production.
    let rehearsals: CampaignRehearsals
    /// What is known of units that campaigns of exclusion groups hold.
    let holds: HoldMemory
    /// Of those that are live or paused, as far as they can be read.
    private let schedules: [ExactText: CampaignSchedule]
    private let ended: Set<ExactText>
    /// The ids of those that count for nobody until they are resumed.
    package let paused: [String]
    /// Those that were left out.
    package let faults: [Fault]

    /// One that cannot be read or compiled, or has an offer that there is not, keeps no other from counting.
    ///
    /// - Parameters:
    ///   - rehearsed: those that have testers.
    ///   - ended: the ids of those that are over for ever.
    init(
        _ campaigns: [LiveCampaign],
        _ rehearsed: [RehearsedCampaign],
        ended: Set<String> = [],
        holds: HoldMemory = HoldMemory(),
        bundleID: String,
        catalogue: Catalogue
    ) {
        self.holds = holds
        self.ended = Set(ended.map(ExactText.init))
        var schedules: [ExactText: CampaignSchedule] = [:]
        var (revisions, faults): ([CampaignRevision], [Fault]) = ([], [])
        for live in campaigns {
            let text = CampaignText(live.document)
            schedules[ExactText(live.id)] = text.campaign?.schedule
            guard live.standing == .live else { continue }
            let fault = text.fault(CampaignName(live.id, of: bundleID), catalogue)
            if let fault {
                faults.append(Fault(id: live.id, number: live.number, reason: fault))
            } else {
                revisions.append(CampaignRevision(text.campaign!, number: live.number))
            }
        }
        self.schedules = schedules
        compiled = CompiledCampaigns(revisions, segments: .none)
        paused = campaigns.filter { $0.standing == .paused }.map(\.id)
        self.faults = faults + compiled.refused.map(Fault.init)
        rehearsals = CampaignRehearsals(
            rehearsed.map { campaign in
                let texts = [campaign.draft.map { (0, $0) }, campaign.published.map { (campaign.number, $0) }]
                let revisions = texts.compactMap(\.self).compactMap { number, document -> CampaignRevision? in
                    let text = CampaignText(document)
                    let isSound = text.fault(CampaignName(campaign.id, of: bundleID), catalogue) == nil
                    return isSound ? CampaignRevision(text.campaign!, number: number) : nil
                }
                return (revisions, campaign.testers)
            })
    }

    /// Whether a campaign keeps those whom it has taken from others of its exclusion group: until it has ended or its time is over.
    ///
    /// One that is not known is newer than what is known.
    func isHolding(_ id: ExactText, at now: Instant) -> Bool {
        if let schedule = schedules[id] { return !schedule.isOver(at: now) }
        return !ended.contains(id)
    }

    /// What testers of an app try; nothing where customers are real.
    func rehearsals(in app: App) -> CampaignRehearsals {
        app.policy.environment == .production ? .none : rehearsals
    }

    /// Whether more is looked at than the part of a history that decides about offers.
    func needsWholeHistory(in app: App) -> Bool { compiled.needsWholeHistory || !rehearsals(in: app).isEmpty }

    /// Whether there is nothing that could take anybody.
    var isEmpty: Bool { compiled.revisions.isEmpty }
}

extension AppCampaigns.Fault {
    fileprivate init(_ refused: CompiledCampaigns.Refusal) {
        self.init(
            id: refused.revision.campaign.id, number: refused.revision.number,
            reason: refused.findings.map { "\($0.path): \($0.message)" }.joined(separator: " "))
    }
}

extension CampaignText {
    /// What keeps it from counting as this campaign; nil if nothing does.
    fileprivate func fault(_ name: CampaignName, _ catalogue: Catalogue) -> String? {
        guard let campaign else { return faults.map { "\($0.name) \($0.reason)" }.joined(separator: "; ") }
        guard campaign.isText(of: name) else { return "it is the text of \(campaign.id) of \(campaign.bundleID)" }
        // The catalogue may have changed since it was published. Without the one variant there would be nothing to compare.
        let missing = campaign.variants.flatMap(\.offers).first { !catalogue.has($0) }
        return missing.map { "the catalogue has no offer \($0.offerID) of \($0.productID)" }
    }
}

extension Catalogue {
    fileprivate func has(_ offer: CampaignVariant.Offer) -> Bool {
        product(offer.productID)?.promotionalOffers.index(forKey: ExactText(offer.offerID)) != nil
    }
}
