import Glibc
import TestRandomness
import Testing

@testable import EligibilityRules

@Suite("Revenue as the goal")
struct RevenueGoalTests {
    private func tally(_ id: String, _ payers: Int, of units: Int, _ price: Int64) throws -> VariantTally {
        let amounts = (0..<units).map { $0 < payers ? price : 0 }
        let sum = try #require(RevenueSum(currency: "USD", amounts: amounts))
        let outcomes = try #require(Conversions(payers, of: units))
        return try #require(
            VariantTally(id: id, exposed: units, outcomes: outcomes, revenue: [sum], goalRevenue: (sum, nil)))
    }

    private func results(_ variants: [VariantTally], effect: ChosenEffect? = nil) throws -> ExperimentResults {
        let plan = try #require(
            ExperimentPlan(
                weights: variants.map { _ in 1000 }, measure: .revenue(currency: "USD"), effect: effect))
        let experiment = try #require(Experiment(plan: plan, variants: variants))
        return ExperimentResults(experiment)
    }

    @Test("Who earns most wins, though fewer customers buy; conversion takes no button away")
    func winner() throws {
        let found = try results([
            tally("control", 44, of: 2000, 92_000), tally("half", 194, of: 2000, 19_700), tally("upfront", 170, of: 2000, 70_941),
        ])
        #expect(found.verdict.code == .winner && found.verdict.variant == "upfront" && !found.verdict.moneyDisagrees)
        #expect(
            found.verdict.sentence.hasPrefix(
                "upfront earns more than control: 6.03 USD per customer, against 2.02. The true gain lies between "))
        #expect(
            found.verdict.sentence.hasSuffix(
                "It was also shown to earn more than half. Of 100 customers 8.5 paid, against 2.2 with control."))
        #expect(found.method.contains("revenue per unit") && found.currency == "USD")
        // Half is shown to convert more, but not to earn more.
        let alone = try results([tally("control", 44, of: 2000, 92_000), tally("half", 194, of: 2000, 19_700)])
        #expect(alone.verdict.code == .noVerdictYet)
        #expect(try #require(alone.pairs[0].rate).interval.isAboveZero)
        #expect(
            alone.verdict.sentence.hasPrefix(
                "We cannot say yet whether half earns more than control. So far half earns 1.91 USD per customer and control 2.02; the"
                    + " true difference lies between "))
    }

    @Test("A variant without weight and without units keeps no verdict from the others")
    func withoutUnits() throws {
        let nothing = try #require(VariantTally(id: "spare", exposed: 0, outcomes: .none, goalRevenue: (nil, nil)))
        let plan = try #require(ExperimentPlan(weights: [1, 1, 0], measure: .revenue(currency: "USD")))
        let variants = try [tally("control", 100, of: 2000, 10_000), tally("half", 400, of: 2000, 10_000), nothing]
        let experiment = try #require(Experiment(plan: plan, variants: variants))
        #expect(ExperimentResults(experiment).verdict.variant == "half")
    }

    @Test("The control wins if every other variant earns less, and a difference may be too small to be worth knowing")
    func others() throws {
        let lower = try results([tally("control", 400, of: 4000, 10_000), tally("half", 400, of: 4000, 5000)])
        #expect(lower.verdict.variant == "control")
        #expect(
            lower.verdict.sentence
                == "Stay with control: 1.00 USD per customer, against less with every other variant (half 0.50).")
        let effect = try #require(ChosenEffect(detect: 0.5, standardDeviation: 3))
        let equal = try results([tally("a", 4000, of: 40_000, 10_000), tally("b", 4010, of: 40_000, 10_000)], effect: effect)
        #expect(equal.verdict.code == .noDifference)
        #expect(equal.verdict.sentence.contains("smaller than the 0.50 USD per customer that were asked for (b: between "))
    }

    @Test("The interval is the sequence's for means with the probability of the verdict, and is tightest where the plan says")
    func interval() throws {
        let effect = try #require(ChosenEffect(detect: 0.5, standardDeviation: 3))
        let found = try results([tally("c", 500, of: 5000, 3000), tally("a", 610, of: 5000, 4000)], effect: effect)
        let gain = try #require(found.pairs[0].revenue)
        // Computed with NumPy and SciPy from the formulas in docs/experiments.md.
        #expect(abs(gain.interval.low - Self.reference.low) < 1e-9 && abs(gain.interval.high - Self.reference.high) < 1e-9)
        let plan = try #require(ExperimentPlan(weights: [1, 1], measure: .revenue(currency: "USD"), effect: effect))
        #expect(plan.unitsForFixedHorizon == Self.reference.fixed)
        #expect(plan.unitsForSequential == Self.reference.sequential)
    }

    private static let reference = (low: 0.1155270975926142, high: 0.2604729024073858, fixed: 1131, sequential: 2192)

    @Test("Payments are converted, and count up to the cap; what cannot be converted withholds the verdict")
    func amounts() throws {
        let rates = ["EUR": try #require(CurrencyRate("1.25")), "GBP": try #require(CurrencyRate("2"))]
        let table = CurrencyTable(in: "CHF", rates: rates)
        func paid(_ payments: [(String, Int64)]) -> UnitOutcome.Paid {
            UnitOutcome.Paid(payments.map { UnitOutcome.Payment(currency: $0.0, amount: $0.1) })
        }
        let goal = try #require(RevenueGoal(CampaignGoal(metric: .revenue, currency: "EUR", cap: 20), table))
        #expect(goal.amount(of: paid([("EUR", 10_000), ("GBP", 5000)])).thousandths == 18_000)
        #expect(goal.amount(of: paid([("EUR", 30_000)])).thousandths == 20_000)
        let unknown = goal.amount(of: paid([("EUR", 1000), ("JPY", 900_000)]))
        #expect(unknown.thousandths == 1000 && unknown.withoutRate == ["JPY"])
        #expect(RevenueGoal(CampaignGoal(metric: .subscribed, currency: "EUR"), table) == nil)
        // A rate that an operator got wrong ends no count.
        let slip = CurrencyTable(
            in: "USD",
            rates: ["EUR": try #require(CurrencyRate("0.000000000001")), "GBP": try #require(CurrencyRate("999999"))])
        let wrong = try #require(RevenueGoal(CampaignGoal(metric: .revenue, currency: "EUR"), slip))
        #expect(wrong.amount(of: paid([("GBP", 9_990_000)])).thousandths == 1_000_000_000_000_000)
        let plan = try #require(ExperimentPlan(weights: [1, 1], measure: .revenue(currency: "EUR")))
        let variants = try [tally("control", 44, of: 2000, 92_000), tally("half", 194, of: 2000, 97_000)]
        var experiment = try #require(Experiment(plan: plan, variants: variants))
        experiment.currenciesWithoutRate = ["JPY"]
        let found = ExperimentResults(experiment)
        #expect(found.verdict.code == .noVerdictYet && found.verdict.variant == nil)
        #expect(found.verdict.sentence.contains("customers paid in JPY, and there is no rate to convert that into EUR"))
    }

    private struct Arm {
        var (units, sum, squares, payers) = (0, 0.0, 0.0, 0)

        mutating func add(_ units: Int, mean: Double, random: inout SplitMix64) {
            func uniform() -> Double { (Double(random.next() >> 11) + 0.5) * 0x1p-53 }
            self.units += units
            for _ in 0..<units where uniform() < 0.1 {
                // Log-normal with σ = 1, so that the mean of all units, nine of ten of which pay nothing, is `mean`.
                let normal = (-2 * log(uniform())).squareRoot() * cos(2 * .pi * uniform())
                let price = mean * 10 * exp(normal - 0.5)
                (sum, squares, payers) = (sum + price, squares + price * price, payers + 1)
            }
        }

        var outcomes: GoalOutcomes {
            let mean = sum / Double(units)
            return GoalOutcomes(
                Conversions(payers, of: units)!,
                RevenueMoments(
                    currency: "USD", units: units, mean: mean, variance: max(0, squares - mean * sum) / Double(units - 1)))
        }
    }

    /// In how many of so many tests of so many units the sequence finds a winner on one of 30 days, and Welch's interval at the end.
    private func winners(_ effect: ChosenEffect, _ means: [Double], units: Int, tests: Int, seed: UInt64) throws
        -> (sequence: Int, once: Int)
    {
        let measure = ExperimentMeasure.revenue(currency: "USD")
        let sequential = try #require(ExperimentPlan(weights: [1, 1], measure: measure, effect: effect))
        let once = try #require(
            ExperimentPlan(weights: [1, 1], measure: measure, method: .fixedHorizon(units: units), effect: effect))
        var random = SplitMix64(seed: seed)
        var found = (sequence: 0, once: 0)
        func isWinner(_ conclusion: ExperimentConclusion) -> Bool { if case .winner = conclusion { true } else { false } }
        for _ in 0..<tests {
            var arms = [Arm(), Arm()]
            var isFound = false
            for _ in 0..<30 {
                for arm in 0..<2 { arms[arm].add(units / 60, mean: means[arm], random: &random) }
                let outcomes = arms.map(\.outcomes)
                let counts = ExperimentCounts(exposed: arms.map(\.units), outcomes: outcomes, atHorizon: outcomes)
                isFound = isFound || isWinner(sequential.conclusion(counts))
                if isWinner(once.conclusion(counts)) { found.once += 1 }
            }
            if isFound { found.sequence += 1 }
        }
        return found
    }

    @Test("Log-normal payments looked at on 30 days: few false winners, and the planned power")
    func power() throws {
        // The standard deviation of payments that are 0 for nine of ten and log-normal for the tenth: the mean of both arms' variances.
        let deviation = ((10 * exp(1.0) - 1) * (1 + 1.3 * 1.3) / 2).squareRoot()
        let effect = try #require(ChosenEffect(detect: 0.3, standardDeviation: deviation))
        let plan = try #require(ExperimentPlan(weights: [1, 1], measure: .revenue(currency: "USD"), effect: effect))
        let most = try #require(plan.unitsForSequential) / 60 * 60
        let fixed = try #require(plan.unitsForFixedHorizon) / 60 * 60
        let same = try winners(effect, [1, 1], units: most, tests: 100, seed: 1)
        let found = try winners(effect, [1, 1.3], units: most, tests: 60, seed: 2)
        let short = try winners(effect, [1, 1.3], units: fixed, tests: 150, seed: 3)
        print(
            "revenue, log-normal, \(most) units in 30 looks: A/A \(same.sequence) of 100 found a winner, 30 % more \(found.sequence) of"
                + " 60; \(fixed) units: Welch at the end \(short.once) of 150, the sequence \(short.sequence)")
        #expect(same.sequence <= 5)
        #expect(found.sequence >= 42)
        #expect(short.once >= 102 && short.once <= 138)
        #expect(short.sequence < short.once)
    }
}
