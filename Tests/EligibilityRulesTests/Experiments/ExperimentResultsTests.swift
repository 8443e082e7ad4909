import Foundation
import TestRandomness
import Testing

@testable import EligibilityRules

@Suite("Experiment results")
struct ExperimentResultsTests {
    private func tally(
        _ id: String,
        _ converted: Int,
        of matured: Int,
        exposed: Int? = nil,
        horizon: (Int, Int)? = nil,
        revenue: [RevenueSum] = []
    ) throws -> VariantTally {
        try #require(
            VariantTally(
                id: id, exposed: exposed ?? matured, outcomes: Conversions(converted, of: matured) ?? .none,
                atHorizon: horizon.flatMap { Conversions($0.0, of: $0.1) }, revenue: revenue))
    }

    private func results(
        _ variants: [VariantTally],
        weights: [Int]? = nil,
        method: ExperimentMethod = .sequential,
        effect: ChosenEffect? = ChosenEffect(detect: 0.02, expected: 0.1),
        pace: ExposurePace? = nil,
        segments: [SegmentTally] = []
    ) throws -> ExperimentResults {
        let even = [Int](repeating: 1, count: variants.count)
        let plan = try #require(ExperimentPlan(weights: weights ?? even, method: method, effect: effect))
        return ExperimentResults(
            try #require(Experiment(plan: plan, variants: variants, unitsInTwoVariants: 3, pace: pace, segments: segments)))
    }

    @Test("A variant whose interval lies above 0 wins, and the sentence says by how much")
    func winner() throws {
        let found = try results([tally("control", 252, of: 4118), tally("half", 402, of: 4146)])
        #expect(found.verdict.code == .winner && found.verdict.variant == "half")
        #expect(
            found.verdict.sentence
                == "half does better than control: 9.7 of 100 customers reached the goal, against 6.1."
                + " The true gain lies between 1.7 and 5.4 customers of 100.")
        #expect(found.daysNeeded == nil && found.unitsInTwoVariants == 3)
        let comparison = try #require(found.variants[1].comparison)
        #expect(comparison.interval.isAboveZero && comparison.chanceToBeatControl > 0.999 && comparison.sequentialP ?? 1 < 0.05)
        #expect(comparison.interval.low < comparison.newcombe.low && comparison.newcombe.high < comparison.interval.high)
        #expect(found.variants[0].comparison == nil)
    }

    @Test(
        "Of several that beat the control the one with the highest share is named, and of which others it is shown to be better")
    func twoWinners() throws {
        let found = try results([tally("c", 400, of: 8000), tally("a", 800, of: 8000), tally("b", 850, of: 8000)])
        #expect(found.verdict.code == .winner && found.verdict.variant == "b")
        #expect(found.verdict.sentence.hasSuffix("It was not shown to do better than a."))
        let clear = try results([
            tally("c", 400, of: 8000), tally("a", 600, of: 8000), tally("b", 950, of: 8000), tally("d", 930, of: 8000),
        ])
        #expect(
            clear.verdict.sentence.hasSuffix("It was also shown to do better than a. It was not shown to do better than d."))
        #expect(clear.pairs.map { [$0.base, $0.other] } == [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]])
    }

    @Test("Where another variant earns more, the verdict names it, and conversion and money disagree")
    func moneyDisagrees() throws {
        func paying(_ id: String, _ converted: Int, _ price: Int64) throws -> VariantTally {
            let amounts = (0..<2000).map { $0 < converted ? price : 0 }
            return try tally(
                id, converted, of: 2000, revenue: [try #require(RevenueSum(currency: "USD", amounts: amounts))])
        }
        let found = try results([paying("control", 44, 92_000), paying("half", 194, 19_700), paying("upfront", 170, 70_941)])
        #expect(found.verdict.code == .winner && found.verdict.variant == "half" && found.verdict.moneyDisagrees)
        #expect(
            found.verdict.sentence.hasSuffix(
                "It was not shown to do better than upfront, which was shown to earn 4.12 USD more per customer."
                    + " So far it earns 0.11 USD less per customer than control, which is not shown."))
        #expect(
            found.verdict.caution
                == "By money the order is another: per customer half earns 1.91 USD so far, but control 2.02 and upfront 6.03."
                + " Decide which of the two matters before you give a variant to all.")
        let agreed = try results([paying("control", 44, 20_000), paying("half", 194, 19_700)])
        #expect(!agreed.verdict.moneyDisagrees)
        #expect(agreed.verdict.sentence.hasSuffix("It was shown to earn 1.47 USD more per customer than control."))
        // In several currencies without rates, nothing is said about money.
        let euros = try tally(
            "half", 194, of: 2000,
            revenue: [try #require(RevenueSum(currency: "EUR", amounts: [Int64](repeating: 1, count: 2000)))])
        let apart = try results([paying("control", 44, 92_000), euros])
        #expect(apart.currency == nil && apart.pairs[0].revenue == nil && !apart.verdict.moneyDisagrees)
    }

    @Test("Intervals of revenue are those of the sequence for means")
    func moneySequence() throws {
        let sums = try [(500, 3000), (610, 4000)].map { converted, price in
            let amounts = (0..<5000).map { $0 < converted ? Int64(price) : 0 }
            return try #require(RevenueSum(currency: "USD", amounts: amounts))
        }
        let found = try results(
            [tally("c", 500, of: 5000, revenue: [sums[0]]), tally("a", 610, of: 5000, revenue: [sums[1]])], effect: nil)
        let gain = try #require(found.pairs[0].revenue)
        // Computed with NumPy from the formula in docs/experiments.md.
        #expect(abs(gain.value - 0.188) < 1e-12)
        #expect(abs(gain.interval.low - 0.11980079411382966) < 1e-9 && abs(gain.interval.high - 0.25619920588617034) < 1e-9)
    }

    @Test("Looked at on 90 days, tests without a difference show one in payments in one of twenty at most", arguments: [0.5, 2])
    func moneyErrors(sigma: Double) {
        var random = SplitMix64(seed: 5)
        func uniform() -> Double { (Double(random.next() >> 11) + 0.5) * 0x1p-53 }
        let sequence = ConfidenceSequence(alpha: 0.05, tightestAt: 2000)
        var errors = 0
        for _ in 0..<200 {
            var (units, sums, squares, payers) = (0, [0.0, 0.0], [0.0, 0.0], [0, 0])
            var isShown = false
            for _ in 0..<90 where !isShown {
                units += 20
                for (arm, _) in sums.enumerated() {
                    for _ in 0..<20 where uniform() < 0.1 {
                        let normal = (-2 * log(uniform())).squareRoot() * cos(2 * .pi * uniform())
                        let price = 10 * exp(sigma * normal)
                        (sums[arm], squares[arm], payers[arm]) = (
                            sums[arm] + price, squares[arm] + price * price, payers[arm] + 1
                        )
                    }
                }
                guard units >= ExperimentPlan.minimumUnits, payers.min()! >= ExperimentPlan.minimumConversions else { continue }
                let moments = [0, 1].map { arm in
                    let mean = sums[arm] / Double(units)
                    return RevenueMoments(
                        currency: "USD", units: units, mean: mean,
                        variance: (squares[arm] - mean * sums[arm]) / Double(units - 1))
                }
                let interval = sequence.interval(MeanDifference(base: moments[0], other: moments[1]))
                isShown = interval.map { $0.isAboveZero || $0.isBelowZero } ?? false
            }
            if isShown { errors += 1 }
        }
        #expect(errors <= 10)
    }

    @Test("The control wins only if every other variant is worse")
    func controlWins() throws {
        let found = try results([tally("c", 900, of: 8000), tally("a", 400, of: 8000), tally("b", 450, of: 8000)])
        #expect(found.verdict.code == .winner && found.verdict.variant == "c")
        let open = try results([tally("c", 900, of: 8000), tally("a", 400, of: 8000), tally("b", 890, of: 8000)])
        #expect(open.verdict.code == .noVerdictYet && open.verdict.variant == nil)
    }

    @Test("More variants make each comparison stricter")
    func bonferroni() throws {
        let pair = try results([tally("c", 500, of: 5000), tally("a", 610, of: 5000)])
        let four = try results([
            tally("c", 500, of: 5000), tally("a", 610, of: 5000), tally("b", 500, of: 5000), tally("d", 500, of: 5000),
        ])
        let (one, other) = (try #require(pair.variants[1].comparison), try #require(four.variants[1].comparison))
        #expect(other.interval.low < one.interval.low && one.interval.high < other.interval.high)
        #expect(one.newcombe == other.newcombe)
        #expect(four.method.contains("Bonferroni over 3 comparisons"))
        #expect(!pair.method.contains("Bonferroni"))
    }

    @Test("No difference is said only where an effect was chosen and every interval is smaller than it")
    func noDifference() throws {
        let same = [try tally("c", 10_000, of: 100_000), try tally("a", 10_050, of: 100_000)]
        #expect(try results(same).verdict.code == .noDifference)
        #expect(try results(same, effect: nil).verdict.code == .noVerdictYet)
        #expect(try results(same, effect: ChosenEffect(detect: 0.001)).verdict.code == .noVerdictYet)
        let mixed = same + [try tally("b", 100, of: 1000)]
        #expect(try results(mixed, weights: [100, 100, 1]).verdict.code == .noVerdictYet)
    }

    @Test(
        "Below 50 units or 5 conversions in any variant there is no verdict, and no comparison",
        arguments: [(49, 20, true), (50, 4, true), (50, 5, false)])
    func minimum(units: Int, converted: Int, isTooLittle: Bool) throws {
        let found = try results([tally("c", converted, of: units, exposed: 60), tally("a", 45, of: 50, exposed: 60)])
        #expect((found.verdict.code == .tooLittleData) == isTooLittle)
        #expect((found.variants[1].comparison == nil) == isTooLittle)
        if isTooLittle { #expect(found.verdict.sentence.hasSuffix("c has \(units) and \(converted).")) }
    }

    @Test("Units whose window is open count for the split, and for nothing else")
    func openWindows() throws {
        let found = try results([tally("c", 252, of: 4118, exposed: 9000), tally("a", 402, of: 4146, exposed: 9010)])
        #expect(found.verdict.code == .winner)
        #expect(found.sampleRatio.observed == [9000, 9010] && found.sampleRatio.expected == [9005, 9005])
        let off = try results([tally("c", 252, of: 4118, exposed: 9000), tally("a", 402, of: 4146, exposed: 8000)])
        #expect(off.verdict.code == .sampleRatioMismatch)
    }

    @Test("A split that is off hides verdict and comparisons, of segments, too, and shows where it is off")
    func mismatch() throws {
        func segment(_ value: String, _ counts: [(Int, Int)]) throws -> SegmentTally {
            try #require(
                SegmentTally(
                    dimension: "app version", value: value, exposed: counts.map(\.1),
                    outcomes: counts.map { Conversions($0.0, of: $0.1) ?? .none }))
        }
        let segments = [try segment("3.1", [(200, 2000), (205, 2010)]), try segment("3.2", [(150, 1445), (90, 808)])]
        let found = try results([tally("c", 350, of: 3445), tally("a", 295, of: 2818)], segments: segments)
        #expect(found.verdict.code == .sampleRatioMismatch && found.sampleRatio.isOff && found.sampleRatio.p < 0.001)
        #expect(found.verdict.sentence.contains("Planned 50.0 : 50.0, got 55.0 : 45.0 (3,445, 2,818)."))
        #expect(found.variants.allSatisfy { $0.comparison == nil } && found.daysNeeded == nil)
        #expect(found.segments.map(\.isSplitOff) == [false, true])
        #expect(found.segments.allSatisfy { $0.comparisons.allSatisfy { $0 == nil } })
        let fine = try results([tally("c", 350, of: 3445), tally("a", 295, of: 3400)], segments: segments)
        #expect(fine.segments[0].comparisons[1] != nil)
    }

    @Test("Segments are corrected for how many there are: Holm's p-values, Bonferroni's intervals")
    func segments() throws {
        func segment(_ value: String, _ converted: [Int]) throws -> SegmentTally {
            try #require(
                SegmentTally(
                    dimension: "storefront", value: value, exposed: [1000, 1000],
                    outcomes: converted.map { Conversions($0, of: 1000) ?? .none }))
        }
        let variants = [try tally("c", 202, of: 3000), try tally("a", 252, of: 3000)]
        let one = try results(variants, segments: [segment("USA", [100, 150])])
        let three = try results(
            variants, segments: [segment("USA", [100, 150]), segment("CAN", [100, 100]), segment("DEU", [2, 2])])
        let (alone, among) = (
            try #require(one.segments[0].comparisons[1]), try #require(three.segments[0].comparisons[1])
        )
        #expect(abs(among.p - min(1, 3 * alone.p)) < 1e-12 && alone.p < 0.5)
        #expect(among.interval.low < alone.interval.low && alone.interval.high < among.interval.high)
        #expect(three.segments[2].comparisons.allSatisfy { $0 == nil })
    }

    @Test("A fixed horizon says nothing before its look, and later looks only at the units of its look")
    func fixedHorizon() throws {
        let method = ExperimentMethod.fixedHorizon(units: 2000)
        let early = try results([tally("c", 50, of: 900), tally("a", 100, of: 900)], method: method)
        #expect(early.verdict.code == .noVerdictYet)
        #expect(early.verdict.sentence.contains("the first 2,000 customers have had their time. 1,800 of them have."))
        let look = try results(
            [tally("c", 300, of: 3000, horizon: (60, 1000)), tally("a", 300, of: 3000, horizon: (95, 1000))], method: method)
        #expect(look.verdict.code == .winner && look.verdict.variant == "a")
        #expect(abs(try #require(look.variants[1].comparison).value - 0.035) < 1e-12)
        // The units of another number would be another look.
        let another = try results(
            [tally("c", 300, of: 3000, horizon: (60, 1001)), tally("a", 300, of: 3000, horizon: (95, 1000))], method: method)
        #expect(another.verdict.code == .noVerdictYet)
    }

    @Test("At the look of a fixed horizon chi-square must hold, too")
    func chiSquaredAtTheLook() throws {
        // z is 3.35: p is 0.0008 for one look, and nothing unusual for many.
        let found = try results(
            [tally("c", 100, of: 1075, horizon: (100, 1075)), tally("a", 100, of: 925, horizon: (100, 925))],
            method: .fixedHorizon(units: 2000))
        #expect(found.verdict.code == .sampleRatioMismatch && found.sampleRatio.p < 0.001 && found.sampleRatio.p > 0.0007)
        #expect(try results([tally("c", 100, of: 1075), tally("a", 100, of: 925)]).verdict.code != .sampleRatioMismatch)
    }

    @Test("Days needed follow from the plan's size, the pace and the window")
    func days() throws {
        let effect = try #require(ChosenEffect(detect: 0.03, expected: 0.1))
        let method = ExperimentMethod.fixedHorizon(units: 3600)
        func days(_ matured: Int, _ exposed: Int, pace: Double) throws -> Int? {
            try results(
                [
                    tally("c", matured / 10, of: matured, exposed: exposed),
                    tally("a", matured / 10, of: matured, exposed: exposed),
                ],
                method: method, effect: effect, pace: ExposurePace(unitsPerDay: pace, windowDays: 14)
            ).daysNeeded
        }
        #expect(try days(100, 800, pace: 100) == 34)
        #expect(try days(1100, 1800, pace: 100) == 14)
        #expect(try days(1600, 1800, pace: 100) == 4)
        #expect(try days(100, 800, pace: 0) == nil)
        #expect(try days(0, 0, pace: 100) == 50)
    }

    @Test("Planned sizes: 10 % against 13 %, 80 % power")
    func sizes() throws {
        let effect = try #require(ChosenEffect(detect: 0.03, expected: 0.1))
        #expect(ExperimentPlan(weights: [1, 1], effect: effect)?.unitsForFixedHorizon == 3548)
        #expect(ExperimentPlan(weights: [1, 1], effect: effect)?.unitsForSequential ?? 0 > 3548)
        #expect(ExperimentPlan(weights: [1, 1, 1], effect: effect)?.unitsForFixedHorizon ?? 0 > 3548 * 3 / 2)
        #expect(ExperimentPlan(weights: [1, 1])?.unitsForFixedHorizon == nil)
    }

    @Test("One variant alone, and variants without weight, are compared with nothing")
    func alone() throws {
        #expect(try results([tally("only", 100, of: 1000)]).verdict.code == .noVerdictYet)
        let found = try results(
            [tally("c", 252, of: 4118), tally("a", 402, of: 4146), tally("b", 0, of: 0)], weights: [1, 1, 0])
        #expect(found.verdict.code == .winner && found.variants[2].comparison == nil)
        #expect(found.variants[2].conversion == ConfidenceInterval(low: 0, high: 1))
    }

    @Test("Each verdict has the code that the API names")
    func codes() {
        let codes = ExperimentVerdict.Code.allCases.map(\.rawValue)
        #expect(codes == ["winner", "no-difference", "no-verdict-yet", "too-little-data", "sample-ratio-mismatch"])
    }

    @Test("A tally for every weight, and nothing else, makes an experiment")
    func places() throws {
        let plan = try #require(ExperimentPlan(weights: [1, 1]))
        #expect(Experiment(plan: plan, variants: [try tally("c", 1, of: 2)]) == nil)
        let segment = try #require(SegmentTally(dimension: "d", value: "v", exposed: [1], outcomes: [.none]))
        let both = [try tally("c", 1, of: 2), try tally("a", 1, of: 2)]
        #expect(Experiment(plan: plan, variants: both, segments: [segment]) == nil)
    }
}
