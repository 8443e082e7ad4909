import Foundation
import TestRandomness
import Testing

@testable import EligibilityRules

@Suite("How long a campaign is likely to take")
struct CampaignForecastTests {
    private static let now = Instant(milliseconds: 1_795_312_800_000)

    private static func campaign(
        enrolment: Int = Bucket.count,
        holdout: Int = 0,
        detect: Double? = 0.03,
        analysis: CampaignAnalysis = .sequential,
        isAlone: Bool = false
    ) -> Campaign {
        Campaign(
            id: "c", name: "C", bundleID: "com.example.app",
            design: CampaignDesign(
                enrolment: enrolment, holdout: holdout,
                variants: isAlone
                    ? [CampaignVariant(id: "a", weight: 10_000)]
                    : [CampaignVariant(id: "control", weight: 5000), CampaignVariant(id: "a", weight: 5000)],
                goal: CampaignGoal(expected: 0.1, detect: detect), analysis: analysis))
    }

    @Test("The units come by days, then by the last week, of those who are let in; the window follows")
    func days() {
        let asking = AskingDays(counts: [500, 300] + Array(repeating: 200, count: 19) + Array(repeating: 100, count: 7))
        func forecast(_ units: Int, enrolment: Int = Bucket.count, holdout: Int = 0) -> CampaignForecast {
            Self.campaign(enrolment: enrolment, holdout: holdout, analysis: .fixed(sampleSize: units)).forecast(
                asking, now: Self.now)
        }
        #expect(forecast(500) == .days(1 + 14, units: 500))
        #expect(forecast(1000) == .days(3 + 14, units: 1000))
        #expect(forecast(5300) == .days(28 + 14, units: 5300))
        #expect(forecast(5401) == .days(30 + 14, units: 5401))
        // Half of 80 % are 40 %.
        #expect(forecast(400, enrolment: 5000, holdout: 2000) == .days(3 + 14, units: 400))
    }

    @Test("What cannot be said has a reason")
    func reasons() {
        let asking = AskingDays(counts: Array(repeating: 10, count: 7))
        #expect(Self.campaign(detect: nil).forecast(asking, now: Self.now) == .noSize)
        // A draft can have any number.
        for holdout in [Int.min, .max] { #expect(Self.campaign(holdout: holdout).forecast(asking, now: Self.now) == .noPace) }
        #expect(Self.campaign(isAlone: true).forecast(asking, now: Self.now) == .nothingToCompare)
        for known in [nil, AskingDays(counts: [9, 9, 9, 9, 9, 9]), AskingDays(counts: Array(repeating: 0, count: 28))] {
            #expect(Self.campaign().forecast(known, now: Self.now) == .noPace)
        }
        let past = AskingDays(counts: [10] + Array(repeating: 0, count: 20))
        #expect(Self.campaign(analysis: .fixed(sampleSize: 50)).forecast(past, now: Self.now) == .never(units: 50))
    }

    @Test("A first campaign takes the pace that its goal expects, which is said to be too slow before the launch")
    func expectedPace() throws {
        func campaign(_ customers: Int?, until days: Int64? = nil, enrolment: Int = Bucket.count) -> Campaign {
            var campaign = Self.campaign(enrolment: enrolment, analysis: .fixed(sampleSize: 4000))
            campaign.design.goal = CampaignGoal(expected: 0.1, detect: 0.03, customersPerDay: customers)
            campaign.schedule = CampaignSchedule(until: days.map { Self.now.advanced(by: $0 * 24 * 3_600_000) })
            return campaign
        }
        #expect(campaign(200).forecast(nil, now: Self.now) == .days(20 + 14, units: 4000))
        #expect(campaign(200, enrolment: 5000).forecast(nil, now: Self.now) == .days(40 + 14, units: 4000))
        for customers in [nil, 0, -5] { #expect(campaign(customers).forecast(nil, now: Self.now) == .noPace) }
        // What is measured replaces it.
        let asking = AskingDays(counts: Array(repeating: 400, count: 7))
        #expect(campaign(200).forecast(asking, now: Self.now) == .days(10 + 14, units: 4000))
        #expect(campaign(200, until: 30).planFindings(now: Self.now).isEmpty)
        let finding = try #require(campaign(200, until: 10).planFindings(now: Self.now).first)
        #expect(finding.severity == .warning && finding.code == .verdictUnlikely)
        #expect(
            finding.message.hasPrefix("With 200 customers a day the campaign has about 2000 of the 4000 customers that it needs"))
        #expect(campaign(nil, until: 10).planFindings(now: Self.now).isEmpty)
    }

    @Test("A test that ends, or uses up its limit, before it has its units is said to, with what would help")
    func tooShort() throws {
        let asking = AskingDays(counts: Array(repeating: 100, count: 7))
        func forecast(until days: Int64?, total: Int? = nil) -> CampaignForecast {
            var campaign = Self.campaign()
            campaign.schedule = CampaignSchedule(until: days.map { Self.now.advanced(by: $0 * 86_400_000) })
            campaign.limits = total.map { CampaignLimits(total: $0) }
            return campaign.forecast(asking, now: Self.now)
        }
        guard case .days(_, let needed) = forecast(until: nil) else { throw Failure() }
        guard case .tooShort(let outlook) = forecast(until: 14) else { throw Failure() }
        #expect(outlook.units == 1400 && outlook.needed == needed)
        #expect(outlook.limit == .end(Self.now.advanced(by: 14 * 86_400_000)))
        // 100 a day.
        let days = Double(try #require(outlook.enough).milliseconds(since: Self.now)) / 86_400_000
        #expect(abs(days - Double(needed) / 100) < 0.01)
        // The difference is the smallest of which so many units are enough.
        let detect = try #require(outlook.detect)
        func units(_ detect: Double) -> Int? {
            ExperimentPlan(weights: [1, 1], effect: ChosenEffect(detect: detect, expected: 0.1))?.unitsNeeded
        }
        let (found, less) = (try #require(units(detect)), try #require(units(detect - 0.001)))
        #expect(found <= 1400 && less > 1400)
        // How fast a limit is used up is known only once the test runs.
        guard case .days = forecast(until: 365, total: 200) else { throw Failure() }
        var campaign = Self.campaign()
        campaign.limits = CampaignLimits(total: 200)
        let plan = try #require(ExperimentRevisions([CampaignRevision(campaign, number: 0)])?.plan)
        let pace = ExposurePace(unitsPerDay: 100, windowDays: 14)
        let running = ExperimentOutlook(campaign, plan, pace: pace, running: (300, 100), now: Self.now)
        #expect(running?.limit == .total(200) && running?.units == 600 && running?.detect == nil)
        #expect(ExperimentOutlook(campaign, plan, pace: pace, running: (300, 1), now: Self.now) == nil)
    }

    private struct Failure: Error {}

    @Test("Over 20 simulated tests with ends, the outlook says so for all that end too early and for few others")
    func simulatedEnds() throws {
        var (missed, false_, ends, others) = (0, 0, 0, 0)
        for (place, run) in (UInt64(1)...40).lazy.compactMap({ Self.run(seed: $0) }).prefix(20).enumerated() {
            // Some end well before the units are there, and some well after.
            let arrival = run.actual - 14
            let days = place.isMultiple(of: 2) ? arrival / 2 : arrival * 3 / 2 + 1
            let campaign = {
                var campaign = run.campaign
                campaign.schedule = CampaignSchedule(until: Self.now.advanced(by: Int64(days) * 86_400_000))
                return campaign
            }()
            let isShort = if case .tooShort = campaign.forecast(run.asking, now: Self.now) { true } else { false }
            if days < arrival {
                (ends, missed) = (ends + 1, missed + (isShort ? 0 : 1))
            } else {
                (others, false_) = (others + 1, false_ + (isShort ? 1 : 0))
            }
        }
        #expect(
            ends >= 8 && others >= 8 && missed == 0 && false_ <= 2, "missed \(missed) of \(ends), false \(false_) of \(others)")
    }

    /// Customers who ask at rates of their own, more on some days of the week than on others; some leave, and others come.
    private struct World {
        private var random: SplitMix64
        private var rates: [Double] = []
        private let mean: Double
        private let week: [Double]
        private let turnover: Double
        private let noise: Double
        private var day = 0

        init(seed: UInt64) {
            random = SplitMix64(seed: seed)
            mean = random.any(of: [0.01, 0.02, 0.05, 0.1])
            turnover = random.any(of: [0, 0.005, 0.02])
            noise = random.any(of: [0.1, 0.3])
            var week: [Double] = []
            for _ in 0..<7 { week.append(0.5 + Double(random.below(1000)) / 1000) }
            self.week = week
            for _ in 0..<random.any(of: [4000, 8000, 16_000]) { rates.append(draw()) }
        }

        private mutating func uniform() -> Double { (Double(random.next() >> 11) + 0.5) * 0x1p-53 }

        private mutating func draw() -> Double { -mean * log(uniform()) }

        /// Calls `body` with each customer who asks on the next day; customers who leave are told to `gone`.
        mutating func next(_ body: (Int) -> Void, gone: (Int) -> Void) {
            let factor = week[day % 7] * (1 + noise * (2 * uniform() - 1))
            day += 1
            for customer in rates.indices {
                if uniform() < 1 - exp(-rates[customer] * factor) { body(customer) }
                if uniform() < turnover {
                    rates[customer] = draw()
                    gone(customer)
                }
            }
        }

        /// The first day until one on which a customer who has just come asked; nil for none.
        mutating func earlierAsk(of customer: Int, until last: Int) -> Int? {
            for day in 0...last where uniform() < 1 - exp(-rates[customer] * week[day % 7]) { return day }
            return nil
        }

        /// Whether a customer is let in.
        mutating func isLetIn(_ share: Double) -> Bool { uniform() < share }
    }

    /// The forecast before the start and the days that it took; nil if that was over a year.
    private static func run(seed: UInt64) -> (forecast: Int, actual: Int, campaign: Campaign, asking: AskingDays)? {
        var world = World(seed: seed)
        // As the count before a launch sees it: of those who fit now, the first day of four weeks on which they asked. They ask
        // whether or not they fit already, so one who has come lately has asked before.
        var first: [Int: Int] = [:]
        for day in 0..<AskingDays.maximum {
            var gone: [Int] = []
            world.next({ if first[$0] == nil { first[$0] = day } }, gone: { gone.append($0) })
            for customer in gone { first[customer] = world.earlierAsk(of: customer, until: day) }
        }
        var counts = Array(repeating: 0, count: AskingDays.maximum)
        for day in first.values { counts[day] += 1 }
        let (enrolment, units) = ([10_000, 5000][Int(seed % 2)], [800, 1500, 2400][Int(seed % 3)])
        let share = Double(enrolment) / 10_000
        let campaign = campaign(enrolment: enrolment, analysis: .fixed(sampleSize: units))
        let asking = AskingDays(counts: counts)
        guard case .days(let forecast, _) = campaign.forecast(asking, now: now) else { return nil }
        var (exposed, seen): (Int, Set<Int>) = (0, [])
        for day in 1...365 {
            var new: [Int] = []
            world.next({ if seen.insert($0).inserted { new.append($0) } }, gone: { seen.remove($0) })
            for _ in new where world.isLetIn(share) { exposed += 1 }
            if exposed >= units { return (forecast, day + 14, campaign, asking) }
        }
        return nil
    }

    @Test("Over 40 simulated tests the median error of the forecast is below a quarter, and it is not one-sided")
    func simulated() {
        let runs = (UInt64(1)...60).lazy.compactMap { Self.run(seed: $0) }.prefix(40)
        let errors = runs.map { Double($0.forecast - $0.actual) / Double($0.actual) }
        let sizes = errors.map(abs).sorted()
        #expect(sizes.count >= 20)
        #expect(sizes[sizes.count / 2] < 0.25, "median \(sizes[sizes.count / 2]) of \(sizes.count)")
        #expect(sizes[sizes.count * 9 / 10] < 0.5, "nine of ten below \(sizes[sizes.count * 9 / 10])")
        // The window alone, which is known, does not carry it.
        let arrival = runs.map { abs(Double($0.forecast - $0.actual)) / Double(max(1, $0.actual - 14)) }.sorted()
        #expect(arrival[arrival.count / 2] < 0.25, "without the window \(arrival[arrival.count / 2])")
    }
}
