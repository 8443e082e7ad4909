package import EligibilityRules
import OfferStore
import Synchronization

/// The campaigns of an app that are in force.
///
/// It is a class, so that decisions can pass it on without copying it.
package final class AppCampaigns: Sendable {
    /// A live campaign that is left out because of a fault.
    package struct Fault: Hashable, Sendable {
        package let id: String
        /// The number of the revision that is live.
        package let number: Int
        /// Why the revision is left out.
        package let reason: String
    }

    static let none = AppCampaigns([], [], bundleID: "", catalogue: Catalogue(products: []))

    /// The live campaigns. Whether one takes customers at an instant depends on its schedule.
    package let compiled: CompiledCampaigns
    /// The campaigns that testers try, live or not, in every environment except Production.
    let rehearsals: CampaignRehearsals
    /// Which campaign holds a unit in an exclusion group, as far as this process knows.
    let holds: HoldMemory
    /// The schedules of the campaigns that are live or paused. Campaigns whose text cannot be read are not in it.
    private let schedules: [ExactText: CampaignSchedule]
    private let ended: Set<ExactText>
    /// The ids of the paused campaigns, which take no customers until they are resumed.
    package let paused: [String]
    /// The campaigns that are left out because of a fault.
    package let faults: [Fault]

    /// Compiles the live campaigns.
    ///
    /// A campaign that cannot be read or compiled, or that has an offer which the catalogue lacks, becomes a fault. The others
    /// are in force nevertheless.
    ///
    /// - Parameters:
    ///   - rehearsed: the campaigns that have testers.
    ///   - ended: the ids of the campaigns that have ended for good.
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

    /// Whether a campaign still holds the units that it has taken in its exclusion group.
    ///
    /// A campaign that this snapshot does not know is newer than the snapshot, so it still holds its units.
    func isHolding(_ id: ExactText, at now: Instant) -> Bool {
        if let schedule = schedules[id] { return !schedule.isOver(at: now) }
        return !ended.contains(id)
    }

    /// The campaigns that testers of an app try; none in Production, where customers are real.
    func rehearsals(in app: App) -> CampaignRehearsals {
        app.policy.environment == .production ? .none : rehearsals
    }

    /// Whether the app's campaigns need a customer's whole history, and not only the part that decides about offers.
    func needsWholeHistory(in app: App) -> Bool { compiled.needsWholeHistory || !rehearsals(in: app).isEmpty }

    /// Whether a campaign for the app's customers decides in a scope.
    func decide(in scope: CampaignScope, of app: App) -> Bool {
        compiled.decide(in: scope) || rehearsals(in: app).decide(in: scope)
    }

    /// Whether there is no campaign that could take a customer.
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
    /// The reason why the text cannot be used as this campaign; nil if it can.
    fileprivate func fault(_ name: CampaignName, _ catalogue: Catalogue) -> String? {
        guard let campaign else { return faults.map { "\($0.name) \($0.reason)" }.joined(separator: "; ") }
        guard campaign.isText(of: name) else { return "it is the text of \(campaign.id) of \(campaign.bundleID)" }
        // The catalogue may have changed since publication. If the offer of one variant is missing, the variants cannot be
        // compared.
        let missing = campaign.design.variants.flatMap(\.offers).first { !catalogue.has($0) }
        if let missing { return "the catalogue has no offer \(missing.offerID) of \(missing.productID)" }
        let introductory = campaign.design.variants.compactMap(\.introductoryOffer)
            .first { catalogue.product($0.productID)?.introductoryOffers.isEmpty ?? true }
        if let introductory { return "the catalogue has no introductory offer of \(introductory.productID)" }
        let proposed = campaign.design.variants.compactMap(\.switchTo).first { catalogue.product($0.productID) == nil }
        return proposed.map { "the catalogue has no product \($0.productID)" }
    }
}

extension Catalogue {
    fileprivate func has(_ offer: CampaignVariant.Offer) -> Bool {
        product(offer.productID)?.promotionalOffers.index(forKey: ExactText(offer.offerID)) != nil
    }
}

/// Remembers which campaign of an exclusion group holds a unit, where another campaign of the group would have taken the unit.
///
/// Without this memory each such request would be decided twice, because the store would report the holder every time.
/// An entry stays true until its campaign is over, because a hold lasts as long as its campaign.
final class HoldMemory: Sendable {
    private let holders: Mutex<TwoGenerations<ExactText>>

    /// - Parameter capacity: the number of entries in a generation (`TwoGenerations`).
    init(capacity: Int = 1 << 17) { holders = Mutex(TwoGenerations(capacity: capacity)) }

    /// The campaign that holds a unit in a group; nil if this process knows of none.
    func holder(of unit: String, _ kind: BucketingUnit, in group: String, _ partition: AppPartition) -> ExactText? {
        holders.withLock { $0.isEmpty ? nil : $0.value(of: Self.key(unit, kind, group, partition)) }
    }

    /// Remembers a holder that the store has reported.
    func note(_ holder: ExactText, of unit: String, _ kind: BucketingUnit, in group: String, _ partition: AppPartition) {
        holders.withLock { $0.insert(holder, Self.key(unit, kind, group, partition)) }
    }

    private static func key(_ unit: String, _ kind: BucketingUnit, _ group: String, _ partition: AppPartition) -> UInt64 {
        var hasher = Hasher()
        hasher.combine(partition)
        hasher.combine(group)
        hasher.combine(kind)
        hasher.combine(unit)
        return UInt64(bitPattern: Int64(hasher.finalize()))
    }
}
