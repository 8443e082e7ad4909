/// The live campaigns of an app, ready to decide.
///
/// It is a snapshot: when a campaign changes, a new one is compiled and takes its place.
public struct CompiledCampaigns: Sendable {
    /// No campaigns.
    public static let none = CompiledCampaigns([], segments: .none)

    /// A revision that cannot be compiled, and why.
    public struct Refusal: Hashable, Sendable {
        /// The revision.
        public let revision: CampaignRevision
        /// The errors of the revision; never empty.
        public let findings: [CampaignFinding]
    }

    /// The campaigns in the order in which they decide: by priority, the highest first, then by id.
    let campaigns: [CompiledCampaign]
    /// The gate of each campaign, in the same order.
    private let gates: [CampaignGate]
    private let placements: CampaignPlacements
    let segments: Segments
    private let tests: TestLayout
    /// The revisions that were left out because of errors.
    public let refused: [Refusal]
    /// Whether a decision reads more of a history than its summary holds (`PurchaseChain.summary(from:)`).
    public let needsWholeHistory: Bool

    /// Compiles revisions, and leaves out those with errors.
    ///
    /// - Parameter revisions: those that are live now or will be: each decides only within its schedule.
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

    /// The revisions in the order in which they decide.
    public var revisions: [CampaignRevision] { campaigns.map(\.revision) }

    /// Whether a campaign decides in a scope.
    public func decide(in scope: CampaignScope) -> Bool { campaigns.contains { $0.isIn(scope) } }

    /// Returns the campaigns that take the customer, and the offers that they give.
    public func decide(_ context: borrowing CampaignContext) -> CampaignDecision {
        var decision = CampaignDecision()
        let results = TestResults(tests)
        let asked = placements.asked(context.placement)
        for place in gates.indices where gates[place].isOpen(asked, results, context) {
            let campaign = campaigns[place]
            guard let allocation = campaign.allocation(context, after: decision.assignments) else { continue }
            decision.add(CampaignAssignment(campaign.revision, allocation), without: context.withheldOffers, in: context.scope)
        }
        return decision
    }

    /// Whether any of the campaigns decides at a placement.
    func isFor(_ placement: String?) -> Bool {
        let asked = placements.asked(placement)
        return gates.contains { $0.isFor(asked) }
    }

    /// Whether the customer is in the audiences of all campaigns.
    func hasInAudience(_ context: borrowing CampaignContext) -> Bool {
        let results = TestResults(tests)
        for gate in gates where !gate.audience.fits(results, context) { return false }
        return true
    }
}

extension CampaignDecision {
    /// Adds an assignment with the offers of its variant, except those in `withheld` and those that are listed already.
    mutating func add(
        _ assignment: CampaignAssignment,
        without withheld: Set<CampaignVariant.Offer>,
        in scope: CampaignScope
    ) {
        assignments.append(assignment)
        // In any other scope the customer can get no promotional offer, or the request is not about one.
        guard scope == .all else { return }
        for offer in assignment.given?.offers ?? [] {
            if !withheld.isEmpty, withheld.contains(offer) { continue }
            if offers.contains(where: { $0.offer == offer }) { continue }
            offers.append(CampaignOffer(offer: offer, assignment: assignment))
        }
    }
}

/// The tests of all live campaigns, and the steps that lead to them, at fixed addresses in memory.
///
/// An element of an array would be retained and released whenever it is read; here that is not necessary.
///
/// It is `@unchecked Sendable` because the memory is written once, in the initialiser, and then only read.
final class TestLayout: @unchecked Sendable {
    let tests: UnsafeBufferPointer<CompiledTest>
    let looks: UnsafeBufferPointer<TestTable.NumberLook>
    /// The facts with numbers that are tested, each once.
    let numbers: UnsafeBufferPointer<FactReference>
    /// The steps of all audiences.
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
