/// The campaigns that have testers, ready to decide what each tester receives.
///
/// For a tester, a campaign's state, schedule, buckets and audience do not matter. Its placement, its variants and its
/// exclusion group do.
public struct CampaignRehearsals: Sendable {
    /// No campaign has testers.
    public static let none = CampaignRehearsals([])

    /// One revision, compiled without other campaigns.
    private struct Part: Sendable {
        let campaign: CompiledCampaign
        let alone: CompiledCampaigns

        init?(_ revision: CampaignRevision) {
            alone = CompiledCampaigns([revision], segments: .none)
            guard let campaign = alone.campaigns.first else { return nil }
            self.campaign = campaign
        }
    }

    private struct Role: Sendable {
        let part: Part
        let tester: CampaignTester
        /// The index of the tester's variant.
        let index: Int
    }

    private struct Name: Hashable {
        let kind: BucketingUnit
        let id: ExactText
    }

    /// The roles of each campaign by an id of the tester; the campaigns are in the order in which they decide.
    private var casts: [[Name: Role]] = []

    /// Finds the revision that each tester receives.
    ///
    /// - Parameter campaigns: for each campaign, the revisions that are tried and the testers. A tester receives the first
    ///   revision that has the tester's variant.
    public init(_ campaigns: [(revisions: [CampaignRevision], testers: [CampaignTester])]) {
        var casts: [(priority: Int, id: String, roles: [Name: Role])] = []
        for (revisions, testers) in campaigns {
            let parts = revisions.compactMap(Part.init)
            var roles: [Name: Role] = [:]
            for tester in testers {
                let found = parts.lazy.compactMap { part in part.campaign.variant(tester.variant).map { (part, $0) } }.first
                guard let (part, index) = found else { continue }
                roles[Name(kind: tester.kind, id: ExactText(tester.id))] = Role(part: part, tester: tester, index: index)
            }
            guard !roles.isEmpty, let campaign = parts.first?.campaign.revision.campaign else { continue }
            casts.append((campaign.slot.priority, campaign.id, roles))
        }
        casts.sort { $0.priority != $1.priority ? $0.priority > $1.priority : TextOrder.precedes($0.id, $1.id) }
        self.casts = casts.map(\.roles)
    }

    /// Whether no campaign has a tester.
    public var isEmpty: Bool { casts.isEmpty }

    /// Whether a campaign with testers decides in a scope.
    public func decide(in scope: CampaignScope) -> Bool {
        casts.contains { $0.values.contains { $0.part.campaign.isIn(scope) } }
    }

    /// Returns the variants that a customer receives as a tester; empty for a customer who tests no campaign.
    ///
    /// Of several campaigns of one exclusion group only the first counts.
    func assignments(_ context: borrowing CampaignContext) -> [CampaignAssignment] {
        guard !casts.isEmpty else { return [] }
        let names = Self.names(of: context)
        var (assignments, groups): ([CampaignAssignment], Set<ExactText>) = ([], [])
        for cast in casts {
            guard let role = names.lazy.compactMap({ cast[$0] }).first, role.part.alone.isFor(context.placement) else {
                continue
            }
            let revision = role.part.campaign.revision
            if let group = revision.campaign.slot.exclusionGroup, !groups.insert(ExactText(group)).inserted { continue }
            let rehearsal = CampaignRehearsal(role.tester, isOutsideAudience: !role.part.alone.hasInAudience(context))
            assignments.append(CampaignAssignment(revision, .assigned(role.index), rehearsal))
        }
        return assignments
    }

    /// Returns all ids of the customer, by any of which the customer may be a tester.
    private static func names(of context: borrowing CampaignContext) -> [Name] {
        var names: [Name] = []
        func add(_ kind: BucketingUnit, _ id: String?) {
            if let id, !id.isEmpty { names.append(Name(kind: kind, id: ExactText(id))) }
        }
        for kind in BucketingUnit.allCases { add(kind, context.identity[kind]) }
        for chain in context.facts.links.chains {
            add(.appTransaction, chain.appTransactionID)
            add(.originalTransaction, chain.originalID)
        }
        return names
    }
}

extension CompiledCampaigns {
    /// Decides as `decide` does, but a tester first receives the variants that are tried.
    ///
    /// Other campaigns of the same exclusion groups do not take the tester.
    public func decide(_ context: borrowing CampaignContext, rehearsing rehearsals: CampaignRehearsals) -> CampaignDecision {
        let tried = rehearsals.assignments(context)
        guard !tried.isEmpty else { return decide(context) }
        var context = copy context
        for assignment in tried {
            // A campaign that is tried must not take the tester a second time as a customer.
            context.spentCampaigns.insert(ExactText(assignment.campaignID))
            guard let group = assignment.revision.campaign.slot.exclusionGroup else { continue }
            context.holders[ExactText(group)] = ExactText(assignment.campaignID)
        }
        var decision = CampaignDecision()
        // A campaign outside of the scope gives the tester nothing here, but it keeps the others of its group away.
        let given = tried.filter { $0.revision.campaign.design.isIn(context.scope) }
        for assignment in given + decide(context).assignments {
            decision.add(assignment, without: context.withheldOffers, in: context.scope)
        }
        return decision
    }
}

/// Marks an assignment to a tester.
///
/// It is a class so that it takes little room in the assignments of other customers, which have none.
public final class CampaignRehearsal: Hashable, Sendable {
    /// The tester as listed in the campaign, with the id by which the customer was recognised.
    public let tester: CampaignTester
    /// Whether the tester is not in the audience, so that the campaign would pass over such a customer.
    public let isOutsideAudience: Bool

    init(_ tester: CampaignTester, isOutsideAudience: Bool) {
        self.tester = tester
        self.isOutsideAudience = isOutsideAudience
    }

    /// Compares both values.
    public static func == (left: CampaignRehearsal, right: CampaignRehearsal) -> Bool {
        left === right || left.tester == right.tester && left.isOutsideAudience == right.isOutsideAudience
    }

    /// Hashes both values.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(tester)
        hasher.combine(isOutsideAudience)
    }
}
