import Testing

@testable import EligibilityRules

@Suite("Experiment figures")
struct ExperimentFigureTests {
    private func close(_ found: Double, _ known: Double, _ relative: Double = 1e-9) -> Bool {
        abs(found - known) <= relative * abs(known)
    }

    private func difference(_ control: (Int, Int), _ treatment: (Int, Int)) throws -> RateDifference {
        let base = try #require(Conversions(control.0, of: control.1))
        let other = try #require(Conversions(treatment.0, of: treatment.1))
        return try #require(RateDifference(control: base, treatment: other))
    }

    @Test("The z test of 5/83 against 12/99 is the textbook's")
    func zTest() throws {
        let (z, p) = try difference((12, 99), (5, 83)).zTest
        #expect(close(z, -1.4078304151258787) && close(p, 0.15918129181156992))
    }

    @Test("Wilson's interval of 18/20 is the textbook's")
    func wilson() throws {
        let interval = try #require(Conversions(18, of: 20)).wilsonInterval()
        #expect(close(interval.low, 0.6989663547715128) && close(interval.high, 0.972133518786232))
    }

    @Test("Newcombe's interval of 7/34 against 1/34 is his paper's")
    func newcombe() throws {
        let interval = try difference((1, 34), (7, 34)).newcombeInterval()
        #expect(close(interval.low, 0.018921443885772937) && close(interval.high, 0.3403686870327074))
    }

    @Test("5,100 against 4,900 of an even split has chi-square 4")
    func chiSquared() throws {
        let (statistic, p) = try #require(SampleRatioTest(weights: [5000, 5000])).chiSquared([5100, 4900])
        #expect(close(statistic, 4) && close(p, 0.0455002638963584))
    }

    @Test("Beta(60, 250) is above Beta(10, 50) with a chance of 0.7088919200")
    func chance() throws {
        // With even prior chances Beta(a, b) is what a − 1 of a + b − 2 leave.
        #expect(close(try difference((9, 58), (59, 308)).chanceToBeatControl, 0.7088919200, 1e-9))
    }

    @Test("The chance to beat control and the chance of control to beat it make 1, whatever the counts")
    func symmetry() throws {
        for (one, other) in [
            ((0, 1), (0, 1)), ((0, 0 + 7), (7, 7)), ((1_000_000, 10_000_000), (1_000_500, 10_000_000)),
            ((0, 10_000_000), (1, 10_000_000)), ((10_000_000, 10_000_000), (9_999_999, 10_000_000)),
        ] as [((Int, Int), (Int, Int))] {
            let chance = try difference(one, other).chanceToBeatControl
            let reverse = try difference(other, one).chanceToBeatControl
            #expect(abs(chance + reverse - 1) < 1e-12, "\(one) \(other): \(chance) + \(reverse)")
            #expect(chance >= 0 && chance <= 1)
        }
        #expect(abs(try difference((0, 1), (0, 1)).chanceToBeatControl - 0.5) < 1e-15)
    }

    @Test(
        "Intervals stay within what can be, for no conversions, for nothing but conversions, and for the largest counts",
        arguments: [
            (0, 1), (1, 1), (0, 10_000_000), (10_000_000, 10_000_000), (1, 10_000_000),
            (Conversions.mostUnits, Conversions.mostUnits),
            (0, Conversions.mostUnits), (Conversions.mostUnits / 2, Conversions.mostUnits),
        ])
    func extremes(_ converted: Int, _ units: Int) throws {
        let conversions = try #require(Conversions(converted, of: units))
        let wilson = conversions.wilsonInterval()
        let rate = try #require(conversions.rate)
        #expect(wilson.low >= 0 && wilson.low <= rate && rate <= wilson.high && wilson.high <= 1)
        for other in [(0, 1), (1, 1), (5, 50), (0, 10_000_000), (10_000_000, 10_000_000)] {
            let pair = try difference((converted, units), other)
            let (newcombe, sequence) = (
                pair.newcombeInterval(), ConfidenceSequence(alpha: 0.05, tightestAt: 10_000).interval(pair)
            )
            for interval in [newcombe, sequence] {
                #expect(-1 <= interval.low && interval.low <= pair.value && pair.value <= interval.high && interval.high <= 1)
            }
            #expect(sequence.low < sequence.high)
            let p = ConfidenceSequence(alpha: 0.05, tightestAt: 10_000).pValue(pair)
            #expect(p >= 0 && p <= 1 && (0...1).contains(pair.zTest.p))
        }
    }

    @Test("Counts that cannot be are no counts")
    func impossible() throws {
        #expect(Conversions(2, of: 1) == nil)
        #expect(Conversions(-1, of: 1) == nil)
        #expect(Conversions(0, of: Conversions.mostUnits + 1) == nil)
        #expect(VariantTally(id: "a", exposed: 1, outcomes: try #require(Conversions(1, of: 2))) == nil)
        #expect(VariantTally(id: "a", exposed: .max, outcomes: .none) == nil)
        #expect(ExperimentPlan(weights: []) == nil)
        #expect(ExperimentPlan(weights: [0, 10_000]) == nil)
        #expect(ExperimentPlan(weights: [5000, -5000]) == nil)
        #expect(RevenueSum(currency: "USD", units: 2, sum: 10, sumOfSquares: 49) == nil)
        #expect(RevenueSum(currency: "USD", units: 2, sum: 10, sumOfSquares: 50) != nil)
        #expect(RevenueSum(currency: "USD", units: 0, sum: 10, sumOfSquares: 100) == nil)
        #expect(RevenueSum(currency: "USD", amounts: [.max, 1]) == nil)
        #expect(ChosenEffect(detect: 0.2, expected: 0.8) == nil)
        #expect(ChosenEffect(detect: 0) == nil)
        #expect(ChosenEffect(detect: .nan) == nil)
    }

    @Test("The variance of ten million dear payments keeps its digits")
    func dearPayments() throws {
        // Half pay 1,500,000.000, half 1,500,000.002: a variance of 0.001² · n/(n − 1).
        let (n, one, other) = (10_000_000, Int128(1_500_000_000), Int128(1_500_000_002))
        let half = Int128(n / 2)
        let revenue = try #require(
            RevenueSum(
                currency: "VND", units: n, sum: Int64(half * (one + other)), sumOfSquares: half * (one * one + other * other)))
        #expect(close(try #require(revenue.variance), 1e-6 * Double(n) / Double(n - 1), 1e-12))
    }

    @Test("What all paid the same has no interval, and two currencies no difference")
    func degenerateRevenue() throws {
        let same = try #require(RevenueSum(currency: "USD", amounts: [990, 990, 990]))
        #expect(RevenueEstimate(same)?.value == 0.99)
        #expect(RevenueEstimate(same)?.interval == nil)
        let difference = try #require(RevenueEstimate(control: same, treatment: same))
        #expect(difference.value == 0 && difference.interval == nil)
        let euro = try #require(RevenueSum(currency: "EUR", amounts: [990, 0]))
        #expect(RevenueEstimate(control: same, treatment: euro) == nil)
        #expect(RevenueEstimate(try #require(RevenueSum(currency: "EUR", amounts: []))) == nil)
    }

    @Test("A unit in a variant that gets none is a split that is off; one variant alone cannot be off")
    func strangeSplits() throws {
        let none = try #require(SampleRatioTest(weights: [5000, 5000, 0]))
        #expect(none.sequentialP([10, 10, 0]) > 0.5)
        #expect(none.sequentialP([10, 10, 1]) == 0)
        #expect(none.chiSquared([10, 10, 1]).p == 0)
        #expect(none.chiSquared([10, 10, 0]).p == 1)
        let alone = try #require(SampleRatioTest(weights: [10_000]))
        #expect(abs(alone.logEValue([12_345])) < 1e-12)
        #expect(alone.chiSquared([12_345]).p == 1)
        #expect(abs(none.logEValue([0, 0, 0])) < 1e-12)
    }

    @Test(
        "Numbers read as people write them",
        arguments: [
            (0.097, "9.7"), (1, "100.0"), (0, "0.0"), (-0.0001, "0.0"), (-0.0125, "−1.3"), (123.45678, "12,345.7"),
        ])
    func numbers(_ share: Double, _ text: String) { #expect(PlainNumber.ofHundred(share) == text) }

    @Test(
        "Whole numbers have commas between thousands",
        arguments: [(0, "0"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567"), (-1000, "-1,000"), (-100, "-100")])
    func wholeNumbers(_ number: Int, _ text: String) { #expect(PlainNumber.text(number) == text) }
}
