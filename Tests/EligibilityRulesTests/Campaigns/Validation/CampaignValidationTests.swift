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
        "A fault is reported by its field, with the remedy, and nothing else is",
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

    @Test("Retention campaigns show texts with offers, texts alone, or nothing of ours")
    func retention() {
        var campaign = ValidationRow.campaign
        ValidationRow.showing("0B8E4C5A-2f0b-4e0e-9e59-1f2c3d4e5f60")(&campaign)
        #expect(Self.findings(campaign).isEmpty)
        campaign.design.variants[1] = CampaignVariant(id: "text", weight: 5000, message: "0b8e4c5a-2f0b-4e0e-9e59-1f2c3d4e5f60")
        #expect(Self.findings(campaign).isEmpty)
        #expect(campaign.design.variants.map(\.isControl) == [true, false])
        // What is shown cannot be redeemed.
        campaign.design.variants = [
            campaign.design.variants[1], CampaignVariant(id: "half", weight: 5000, offers: [ValidationRow.offer("half")]),
        ]
        campaign.design.goal = CampaignGoal(metric: .redeemed)
        #expect(Self.findings(campaign).map(\.code) == [.missingMessage, .invalidGoal])
    }

    @Test("Every code has a row, or a test below")
    func complete() {
        let shown = Set((ValidationRow.campaignRows + ValidationRow.audienceRows).map(\.code))
        let below: Set<CampaignFinding.Code> = [.exclusionGroupOverlap, .exclusionGroupUnit, .samePriority, .shadowed, .locked]
        // The first of these belongs to the forecast, and the other to those who read campaigns.
        #expect(Set(CampaignFinding.Code.allCases).subtracting(shown) == below.union([.verdictUnlikely, .unreadable]))
    }

    @Test("A campaign with an error is not compiled, and one with warnings only is", arguments: ValidationRow.audienceRows)
    func compiled(row: ValidationRow) {
        var campaign = ValidationRow.campaign
        row.change(&campaign)
        let isReadable = CompiledCampaigns([CampaignRevision(campaign, number: 1)], segments: ValidationRow.segments).refused
            .isEmpty
        // What can be read and is never true, or concerns the catalogue, harms no customer.
        let isHarmless = [.deadCondition, .unknownValue, .unknownGroup].contains(row.code)
        #expect(isReadable == isHarmless)
    }

    private static func other(_ change: (inout Campaign) -> Void) -> Campaign {
        var other = ValidationRow.campaign
        other.id = "autumn"
        other.design.enrolment = 10_000
        other.limits = nil
        change(&other)
        return other
    }

    @Test("Two campaigns for the same customers belong into one exclusion group")
    func overlap() {
        let codes = { (change: (inout Campaign) -> Void) in
            Self.findings(ValidationRow.campaign, others: [Self.other(change)]).map { "\($0.path) \($0.code.rawValue)" }
        }
        #expect(codes { $0.slot.exclusionGroup = nil } == ["exclusionGroup exclusion-group-overlap"])
        #expect(codes { ($0.slot.exclusionGroup, $0.audience) = (nil, ValidationRow.state("active")) }.isEmpty)
        #expect(codes { ($0.slot.exclusionGroup, $0.audience) = (nil, ValidationRow.days(.above, 90)) }.isEmpty)
        #expect(codes { ($0.slot.exclusionGroup, $0.slot.placement) = (nil, "settings") }.isEmpty)
        #expect(codes { ($0.slot.exclusionGroup, $0.bundleID) = (nil, "c") }.isEmpty)
        let next = CampaignSchedule(from: ValidationRow.campaign.schedule.until)
        #expect(codes { ($0.slot.exclusionGroup, $0.schedule) = (nil, next) }.isEmpty)
        #expect(
            codes {
                $0.slot.exclusionGroup = nil
                ValidationRow.giving(ValidationRow.offer("n1", of: "news"))(&$0)
            }.isEmpty)
    }

    @Test("In one exclusion group the order is decided, and the first must leave some customers")
    func order() {
        let codes = { (change: (inout Campaign) -> Void) in
            Self.findings(ValidationRow.campaign, others: [Self.other(change)]).map(\.code)
        }
        #expect(codes { _ in } == [.samePriority, .shadowed])
        #expect(codes { $0.slot.priority = 1 } == [.shadowed])
        #expect(codes { $0.slot.priority = -1 }.isEmpty)
        #expect(codes { ($0.slot.priority, $0.design.enrolment) = (1, 5000) }.isEmpty)
        #expect(codes { ($0.slot.priority, $0.audience) = (1, nil) } == [.shadowed])
        #expect(codes { ($0.slot.priority, $0.audience) = (1, ValidationRow.days(.above, 30)) }.isEmpty)
    }

    struct LockRow: Sendable {
        let path: String?
        let change: @Sendable (inout Campaign) -> Void

        init(_ path: String?, _ change: @escaping @Sendable (inout Campaign) -> Void) {
            (self.path, self.change) = (path, change)
        }
    }

    @Test(
        "Of a campaign that runs only what leaves its test one may change",
        arguments: [
            LockRow("placement") { $0.slot.placement = "settings" },
            LockRow("schedule.from") { $0.schedule = CampaignSchedule() },
            LockRow("exclusionGroup") { $0.slot.exclusionGroup = nil },
            LockRow("unit") { $0.design.unit = .appTransaction }, LockRow("holdout") { $0.design.holdout += 1 },
            LockRow("audience") { $0.audience = nil },
            LockRow("audience") {
                $0.segments = [Segment(id: "lapsed", name: "Lapsed", condition: ValidationRow.state("active"))]
            },
            LockRow(nil) { $0.design.variants[1] = $0.design.variants[1].named("Half price") },
            LockRow("variants") { $0.design.variants.reverse() },
            LockRow("goal") { $0.design.goal = CampaignGoal(metric: .retained) },
            LockRow("analysis") { $0.design.analysis = .fixed(sampleSize: 8000) },
            LockRow("enrolment") { $0.design.enrolment -= 1 }, LockRow(nil) { $0.design.enrolment += 1 },
            LockRow(nil) { $0.name = "Another" },
            LockRow(nil) { $0.slot.priority += 1 }, LockRow(nil) { $0.limits = nil },
            LockRow(nil) { $0.schedule = CampaignSchedule(from: $0.schedule.from, until: Instant(milliseconds: .max)) },
        ])
    func locks(row: LockRow) {
        var running = ValidationRow.campaign
        running.design.enrolment = 5000
        running.schedule = CampaignSchedule(from: ValidationRow.now, until: running.schedule.until)
        var campaign = running
        row.change(&campaign)
        func locked(at now: Instant) -> [String] {
            CampaignValidation(
                catalogue: ValidationRow.catalogue, segments: ValidationRow.segments, published: running, now: now
            ).findings(campaign).filter { $0.code == .locked }.map(\.path)
        }
        #expect(locked(at: ValidationRow.now) == [row.path].compactMap(\.self))
        // Before it begins all of it may change.
        #expect(locked(at: ValidationRow.now.advanced(by: -1)).isEmpty)
    }

    @Test("Once its time is over a campaign does not come back: others may have taken its customers")
    func over() {
        func locked(at now: Instant) -> [String] {
            var campaign = ValidationRow.campaign
            campaign.schedule = CampaignSchedule(from: campaign.schedule.from, until: Instant(milliseconds: .max))
            return CampaignValidation(
                catalogue: ValidationRow.catalogue, segments: ValidationRow.segments, published: ValidationRow.campaign, now: now
            ).findings(campaign).filter { $0.code == .locked }.map(\.path)
        }
        let end = ValidationRow.campaign.schedule.until!
        #expect(locked(at: end.advanced(by: -1)) == [] && locked(at: end) == ["schedule.until"])
    }

    @Test("Campaigns of a group deal out by the same unit, where both are there at some time")
    func units() {
        func paths(_ change: (inout Campaign) -> Void) -> [String] {
            var other = ValidationRow.campaign
            (other.id, other.design.unit, other.slot.placement, other.audience) = ("other", .appTransaction, "settings", nil)
            change(&other)
            return Self.findings(ValidationRow.campaign, others: [other]).filter { $0.code == .exclusionGroupUnit }.map {
                "\($0.path) \($0.severity)"
            }
        }
        #expect(paths { _ in } == ["unit error"])
        #expect(paths { $0.design.unit = .customer }.isEmpty && paths { $0.slot.exclusionGroup = "another" }.isEmpty)
        #expect(paths { $0.id = "spring-winback" }.isEmpty && paths { $0.bundleID = "c" }.isEmpty)
        #expect(paths { $0.schedule = CampaignSchedule(from: ValidationRow.campaign.schedule.until) }.isEmpty)
    }

    @Test("A segment is checked as it is to become")
    func segment() {
        let validation = CampaignValidation(
            catalogue: ValidationRow.catalogue, segments: ValidationRow.segments, now: ValidationRow.now)
        let reported = { (id: String, condition: Condition) in
            validation.findings(Segment(id: id, name: "S", condition: condition)).map { "\($0.path) \($0.code.rawValue)" }
        }
        #expect(reported("lapsed", ValidationRow.state("active")).isEmpty)
        #expect(reported("lapsed", .segment("hen")) == ["condition.segment segment-cycle"])
        #expect(reported("hen", ValidationRow.state("active")).isEmpty)
        #expect(reported("new", .not(.segment("new"))) == ["condition.not.segment segment-cycle"])
        #expect(
            reported("new", .any([ValidationRow.days(.below, 0), ValidationRow.state("active")])) == [
                "condition.any[0] dead-condition"
            ])
        #expect(reported("New", ValidationRow.state("x")) == ["id invalid-id", "condition.is unknown-value"])
    }
}

extension CampaignVariant {
    fileprivate func named(_ name: String) -> CampaignVariant {
        CampaignVariant(id: id, name: name, weight: weight, offers: offers, message: message)
    }
}
