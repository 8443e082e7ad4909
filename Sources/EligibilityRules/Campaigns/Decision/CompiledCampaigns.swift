/// The live campaigns of an app, ready to decide: a snapshot that is swapped whole.
public struct CompiledCampaigns: Sendable {
    /// None.
    public static let none = CompiledCampaigns([], segments: .none)

    /// A revision that cannot be read, and why.
    public struct Refusal: Hashable, Sendable {
        /// The revision.
        public let revision: CampaignRevision
        /// What is wrong with it; not empty.
        public let findings: [CampaignFinding]
    }

    /// By priority, the highest first; of the same priority by id.
    let campaigns: [CompiledCampaign]
    /// The same, for a look at each that counts no references: most pass the customer over.
    private let unretained: [Unmanaged<CompiledCampaign>]
    let segments: Segments
    private let tests: TestLayout
    /// What was left out.
    public let refused: [Refusal]
    /// Whether they look at more than the part of a history that decides about offers.
    public let needsWholeHistory: Bool

    /// - Parameter revisions: what is live or about to be; the schedule of each says when. What cannot be read is left out.
    public init(_ revisions: [CampaignRevision], segments: Segments) {
        var campaigns: [CompiledCampaign] = []
        var refused: [Refusal] = []
        var table = TestTable()
        for revision in revisions {
            var compiler = ConditionCompiler(segments: segments)
            let audience = revision.campaign.audience.map { compiler.compile($0, at: "audience") }
            var findings = compiler.findings
            CampaignShares.check(revision.campaign, &findings)
            findings.removeAll { $0.severity < .error }
            if findings.isEmpty {
                let program = audience.flatMap(\.self).map { AudienceProgram($0, &table) }
                campaigns.append(CompiledCampaign(revision, audience: program))
            } else {
                refused.append(Refusal(revision: revision, findings: findings))
            }
        }
        self.campaigns = campaigns.sorted { left, right in
            let (first, second) = (left.revision.campaign, right.revision.campaign)
            return first.priority != second.priority ? first.priority > second.priority : left.id < right.id
        }
        unretained = self.campaigns.map(Unmanaged.passUnretained)
        self.refused = refused
        self.segments = segments
        tests = TestLayout(table)
        needsWholeHistory = table.asksForMoreThanGist || campaigns.contains { $0.revision.campaign.unit != .customer }
    }

    /// The revisions that decide, in their order.
    public var revisions: [CampaignRevision] { campaigns.map(\.revision) }

    /// Which of them take the customer, and what they give.
    public func decide(_ context: borrowing CampaignContext) -> CampaignDecision { decide(context) { _ in } }

    /// The same, and says what each campaign comes to.
    func decide(_ context: borrowing CampaignContext, _ told: (CampaignVerdict) -> Void) -> CampaignDecision {
        var decision = CampaignDecision()
        let results = TestResults(tests)
        for place in campaigns.indices {
            let verdict = verdict(at: place, context, results, decision)
            told(verdict)
            if case .passedOver = verdict { continue }
            decision.add(CampaignAssignment(campaigns[place].revision, verdict), without: context.spentOffers)
        }
        return decision
    }

    private func verdict(
        at place: Int,
        _ context: borrowing CampaignContext,
        _ results: borrowing TestResults,
        _ decision: borrowing CampaignDecision
    ) -> CampaignVerdict {
        unretained[place]._withUnsafeGuaranteedRef { campaign in
            campaign.verdict(context, results, after: campaign.isExclusive ? decision.assignments : [])
        }
    }

    /// Whether the customer is in the audience of every one.
    func hasInAudience(_ context: borrowing CampaignContext) -> Bool {
        let results = TestResults(tests)
        for campaign in campaigns where !campaign.hasInAudience(results, context) { return false }
        return true
    }
}

extension CampaignDecision {
    /// Adds what a campaign has come to, and what it gives.
    mutating func add(_ assignment: CampaignAssignment, without spent: Set<CampaignVariant.Offer>) {
        assignments.append(assignment)
        guard case .assigned(let index) = assignment.verdict else { return }
        for offer in assignment.revision.campaign.variants[index].offers {
            if !spent.isEmpty, spent.contains(offer) { continue }
            if offers.contains(where: { $0.offer == offer }) { continue }
            offers.append(CampaignOffer(offer: offer, assignment: assignment))
        }
    }
}
