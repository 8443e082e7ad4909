import Testing

@testable import EligibilityRules

@Suite("Validation of campaigns")
struct CampaignValidationTests {
    private static func findings(_ campaign: Campaign, others: [Campaign] = []) -> [CampaignFinding] {
        CampaignValidation(
            catalogue: ValidationRow.catalogue, segments: ValidationRow.segments, others: others, now: ValidationRow.now
        ).findings(campaign)
    }

    @Test("Of a campaign without faults there is nothing to say")
    func faultless() {
        #expect(Self.findings(ValidationRow.campaign).isEmpty)
    }

    @Test(
        "A fault is told by its field, with the remedy, and nothing else is",
        arguments: ValidationRow.campaignRows + ValidationRow.audienceRows)
    func rows(row: ValidationRow) throws {
        var campaign = ValidationRow.campaign
        row.change(&campaign)
        let findings = Self.findings(campaign)
        let finding = try #require(findings.first { $0.code == row.code }, "\(findings)")
        #expect(finding.path == row.path && finding.severity == row.severity)
        #expect(finding.message.contains(row.remedy), "\(finding.message)")
        #expect(findings.filter { $0 != finding }.map(\.code) == row.also, "\(findings)")
    }

    @Test("Every code has a row, or a test below")
    func complete() {
        let shown = Set((ValidationRow.campaignRows + ValidationRow.audienceRows).map(\.code))
        #expect(Set(CampaignFinding.Code.allCases).subtracting(shown) == [.exclusionGroupOverlap, .samePriority, .shadowed])
    }

    @Test("A campaign with an error is not compiled, and one with warnings only is", arguments: ValidationRow.audienceRows)
    func compiled(row: ValidationRow) {
        var campaign = ValidationRow.campaign
        row.change(&campaign)
        let isReadable = CompiledCampaigns([CampaignRevision(campaign, number: 1)], segments: ValidationRow.segments).refused
            .isEmpty
        // What can be read and is never true, or concerns the catalogue, harms nobody.
        let isHarmless = [.deadCondition, .unknownValue, .unknownGroup].contains(row.code)
        #expect(isReadable == isHarmless)
    }

    private static func other(_ change: (inout Campaign) -> Void) -> Campaign {
        var other = ValidationRow.campaign
        other.id = "autumn"
        other.enrolment = 10_000
        other.limits = nil
        change(&other)
        return other
    }

    @Test("Two campaigns for the same customers belong into one exclusion group")
    func overlap() {
        let codes = { (change: (inout Campaign) -> Void) in
            Self.findings(ValidationRow.campaign, others: [Self.other(change)]).map { "\($0.path) \($0.code.rawValue)" }
        }
        #expect(codes { $0.exclusionGroup = nil } == ["exclusionGroup exclusion-group-overlap"])
        #expect(codes { ($0.exclusionGroup, $0.audience) = (nil, ValidationRow.state("active")) }.isEmpty)
        #expect(codes { ($0.exclusionGroup, $0.audience) = (nil, ValidationRow.days(.above, 90)) }.isEmpty)
        #expect(codes { ($0.exclusionGroup, $0.placement) = (nil, "settings") }.isEmpty)
        #expect(codes { ($0.exclusionGroup, $0.bundleID) = (nil, "c") }.isEmpty)
        let next = CampaignSchedule(from: ValidationRow.campaign.schedule.until)
        #expect(codes { ($0.exclusionGroup, $0.schedule) = (nil, next) }.isEmpty)
        #expect(
            codes {
                $0.exclusionGroup = nil
                ValidationRow.giving(ValidationRow.offer("n1", of: "news"))(&$0)
            }.isEmpty)
    }

    @Test("In one exclusion group the order is decided, and the first must leave somebody")
    func order() {
        let codes = { (change: (inout Campaign) -> Void) in
            Self.findings(ValidationRow.campaign, others: [Self.other(change)]).map(\.code)
        }
        #expect(codes { _ in } == [.samePriority, .shadowed])
        #expect(codes { $0.priority = 1 } == [.shadowed])
        #expect(codes { $0.priority = -1 }.isEmpty)
        #expect(codes { ($0.priority, $0.enrolment) = (1, 5000) }.isEmpty)
        #expect(codes { ($0.priority, $0.audience) = (1, nil) } == [.shadowed])
        #expect(codes { ($0.priority, $0.audience) = (1, ValidationRow.days(.above, 30)) }.isEmpty)
    }

    @Test("A segment is checked as it is to become")
    func segment() {
        let validation = CampaignValidation(
            catalogue: ValidationRow.catalogue, segments: ValidationRow.segments, now: ValidationRow.now)
        let told = { (id: String, condition: Condition) in
            validation.findings(Segment(id: id, name: "S", condition: condition)).map { "\($0.path) \($0.code.rawValue)" }
        }
        #expect(told("lapsed", ValidationRow.state("active")).isEmpty)
        #expect(told("lapsed", .segment("hen")) == ["condition.segment segment-cycle"])
        #expect(told("hen", ValidationRow.state("active")).isEmpty)
        #expect(told("new", .not(.segment("new"))) == ["condition.not.segment segment-cycle"])
        #expect(
            told("new", .any([ValidationRow.days(.below, 0), ValidationRow.state("active")])) == [
                "condition.any[0] dead-condition"
            ])
        #expect(told("New", ValidationRow.state("x")) == ["id invalid-id", "condition.is unknown-value"])
    }
}
