/// The live campaigns of an app, ready to decide: a snapshot that is replaced as a whole.
public struct CompiledCampaigns: Sendable {
    /// None.
    public static let none = CompiledCampaigns([], segments: .none)

    /// A revision that cannot be compiled, and why.
    public struct Refusal: Hashable, Sendable {
        /// The revision.
        public let revision: CampaignRevision
        /// Its faults; not empty.
        public let findings: [CampaignFinding]
    }

    /// Ordered by priority, the highest first, then by id.
    let campaigns: [CompiledCampaign]
    /// The gate of each campaign.
    private let gates: [CampaignGate]
    private let placements: CampaignPlacements
    let segments: Segments
    private let tests: TestLayout
    /// The revisions that were left out.
    public let refused: [Refusal]
    /// Whether they read more than the part of a history that decides about offers.
    public let needsWholeHistory: Bool

    /// - Parameter revisions: live or upcoming ones; the schedule of each says when. Those with errors are left out.
    public init(_ revisions: [CampaignRevision], segments: Segments) {
        var campaigns: [(campaign: CompiledCampaign, gate: CampaignGate)] = []
        var placements = CampaignPlacements()
        var refused: [Refusal] = []
        var table = TestTable()
        for revision in revisions {
            var compiler = ConditionCompiler(segments: segments.with(revision.campaign.segments))
            let audience = revision.campaign.audience.map { compiler.compile($0, at: "audience") }
            var findings = compiler.findings
            CampaignShares.check(revision.campaign, &findings)
            findings.removeAll { $0.severity < .error }
            if findings.isEmpty {
                let program = audience.flatMap(\.self).map { AudienceProgram($0, &table) }
                let gate = CampaignGate(revision.campaign, audience: program, &placements)
                campaigns.append((CompiledCampaign(revision), gate))
            } else {
                refused.append(Refusal(revision: revision, findings: findings))
            }
        }
        campaigns.sort { left, right in
            let (first, second) = (left.campaign.revision.campaign, right.campaign.revision.campaign)
            return first.slot.priority != second.slot.priority
                ? first.slot.priority > second.slot.priority : left.campaign.id < right.campaign.id
        }
        self.campaigns = campaigns.map(\.campaign)
        gates = campaigns.map(\.gate)
        self.placements = placements
        self.refused = refused
        self.segments = segments
        tests = TestLayout(table)
        needsWholeHistory =
            table.asksForMoreThanSummary || self.campaigns.contains { $0.revision.campaign.design.unit != .customer }
    }

    /// The revisions that decide, in their order.
    public var revisions: [CampaignRevision] { campaigns.map(\.revision) }

    /// Returns the campaigns that take the customer, and the offers that they give.
    public func decide(_ context: borrowing CampaignContext) -> CampaignDecision {
        var decision = CampaignDecision()
        let results = TestResults(tests)
        let asked = placements.asked(context.placement)
        for place in gates.indices where gates[place].isOpen(asked, results, context) {
            let campaign = campaigns[place]
            guard let allocation = campaign.allocation(context, after: decision.assignments) else { continue }
            decision.add(CampaignAssignment(campaign.revision, allocation), without: context.spentOffers)
        }
        return decision
    }

    /// Whether any of them decides at a placement.
    func isFor(_ placement: String?) -> Bool {
        let asked = placements.asked(placement)
        return gates.contains { $0.isFor(asked) }
    }

    /// Whether the customer is in the audience of every one.
    func hasInAudience(_ context: borrowing CampaignContext) -> Bool {
        let results = TestResults(tests)
        for gate in gates where !gate.audience.fits(results, context) { return false }
        return true
    }
}

extension CampaignDecision {
    /// Adds the assignment of a campaign, and its offers.
    mutating func add(_ assignment: CampaignAssignment, without spent: Set<CampaignVariant.Offer>) {
        assignments.append(assignment)
        guard case .assigned(let index) = assignment.allocation else { return }
        for offer in assignment.revision.campaign.design.variants[index].offers {
            if !spent.isEmpty, spent.contains(offer) { continue }
            if offers.contains(where: { $0.offer == offer }) { continue }
            offers.append(CampaignOffer(offer: offer, assignment: assignment))
        }
    }
}

/// The tests of all live campaigns, and the steps that lead to them, at fixed addresses.
/// Reading one counts no references.
///
/// Unchecked: immutable.
final class TestLayout: @unchecked Sendable {
    let tests: UnsafeBufferPointer<CompiledTest>
    let looks: UnsafeBufferPointer<TestTable.NumberLook>
    /// The facts that are numbers, each once.
    let numbers: UnsafeBufferPointer<FactReference>
    /// The steps of the audiences.
    let steps: UnsafeBufferPointer<AudienceProgram.Step>

    init(_ table: TestTable) {
        tests = Self.laidOut(table.tests)
        looks = Self.laidOut(table.looks)
        numbers = Self.laidOut(table.numbers)
        steps = Self.laidOut(table.steps)
    }

    deinit {
        Self.remove(tests)
        Self.remove(looks)
        Self.remove(numbers)
        Self.remove(steps)
    }

    private static func laidOut<Element>(_ elements: [Element]) -> UnsafeBufferPointer<Element> {
        let buffer = UnsafeMutableBufferPointer<Element>.allocate(capacity: elements.count)
        _ = buffer.initialize(fromContentsOf: elements)
        return UnsafeBufferPointer(buffer)
    }

    private static func remove<Element>(_ elements: UnsafeBufferPointer<Element>) {
        UnsafeMutableBufferPointer(mutating: elements).deinitialize().deallocate()
    }
}
