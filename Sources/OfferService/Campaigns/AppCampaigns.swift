package import EligibilityRules
import OfferStore
import Synchronization

/// The campaigns of an app that are in force.
///
/// It is a class because decisions pass it around.
package final class AppCampaigns: Sendable {
    /// A live campaign that is left out because of a fault.
    package struct Fault: Hashable, Sendable {
        /// The campaign's id.
        package let id: String
        /// The revision's number.
        package let number: Int
        /// What is wrong with it.
        package let reason: String
    }

    /// No campaigns.
    static let none = AppCampaigns([], [], bundleID: "", catalogue: Catalogue(products: []))

    /// The live campaigns. The schedule of each determines when it runs.
    package let compiled: CompiledCampaigns
    /// The campaigns that testers try, live or not, in every environment except Production.
    let rehearsals: CampaignRehearsals
    /// Which campaign of an exclusion group holds a unit, as far as this process knows.
    let holds: HoldMemory
    /// The schedules of campaigns that are live or paused, as far as they can be read.
    private let schedules: [ExactText: CampaignSchedule]
    private let ended: Set<ExactText>
    /// The ids of the paused campaigns, which take no customers until they are resumed.
    package let paused: [String]
    /// The campaigns that were left out.
    package let faults: [Fault]

    /// Compiles the live campaigns.
    ///
    /// A campaign that cannot be read or compiled, or has an offer that does not exist, becomes a fault; the others are in force.
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
    /// It does until it has ended or its schedule is over. An unknown campaign is newer than this snapshot, and holds its units.
    func isHolding(_ id: ExactText, at now: Instant) -> Bool {
        if let schedule = schedules[id] { return !schedule.isOver(at: now) }
        return !ended.contains(id)
    }

    /// The campaigns that testers of an app try; none in Production, where customers are real.
    func rehearsals(in app: App) -> CampaignRehearsals {
        app.policy.environment == .production ? .none : rehearsals
    }

    /// Whether campaigns need more of a history than the part that decides about offers.
    func needsWholeHistory(in app: App) -> Bool { compiled.needsWholeHistory || !rehearsals(in: app).isEmpty }

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
        return missing.map { "the catalogue has no offer \($0.offerID) of \($0.productID)" }
    }
}

extension Catalogue {
    fileprivate func has(_ offer: CampaignVariant.Offer) -> Bool {
        product(offer.productID)?.promotionalOffers.index(forKey: ExactText(offer.offerID)) != nil
    }
}

/// Remembers which campaign of an exclusion group holds a unit that another campaign would have taken.
///
/// The store then need not report it again. A unit that no other campaign wanted is not in it.
/// A hold lasts as long as its campaign, so an entry stays true until that campaign is over.
final class HoldMemory: Sendable {
    private let holders: Mutex<TwoGenerations<ExactText>>

    /// - Parameter capacity: the size of a generation.
    init(capacity: Int = 1 << 17) { holders = Mutex(TwoGenerations(capacity: capacity)) }

    /// The campaign that holds a unit; nil if it is not known.
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
