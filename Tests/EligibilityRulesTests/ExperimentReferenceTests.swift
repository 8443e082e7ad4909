import Testing

@testable import EligibilityRules

@Suite("Experiment figures and those of SciPy, statsmodels and mpmath")
struct ExperimentReferenceTests {
    private let reference: ExperimentReference

    init() throws { reference = try ExperimentReference.read() }

    /// Whether two figures differ by no more than a billionth, or by what rounding leaves of figures around `scale`.
    private func same(_ found: Double, _ known: Double, scale: Double = 0, relative: Double = 1e-9) -> Bool {
        abs(found - known) <= relative * abs(known) + 1e-13 * scale
    }

    private func conversions(_ pair: [Int]) throws -> Conversions { try #require(Conversions(pair[0], of: pair[1])) }

    @Test("1,000 pairs of shares: Wilson, Newcombe, z test, chance to beat control")
    func proportions() throws {
        #expect(reference.proportions.count == 1000)
        for row in reference.proportions {
            let (control, treatment) = (try conversions(row.control), try conversions(row.treatment))
            let difference = try #require(RateDifference(control: control, treatment: treatment))
            let wilson = treatment.wilsonInterval(alpha: row.alpha)
            // statsmodels leaves what rounding leaves where it is exactly 0 or 1.
            #expect(same(wilson.low, row.wilson[0], scale: 0.01) && same(wilson.high, row.wilson[1]), "\(row)")
            let newcombe = difference.newcombeInterval(alpha: row.alpha)
            #expect(same(newcombe.low, row.newcombe[0], scale: 1) && same(newcombe.high, row.newcombe[1], scale: 1), "\(row)")
            let (z, p) = difference.zTest
            #expect(same(z, row.z, scale: abs(row.z) + 10) && same(p, row.p, scale: 10), "\(row) \(z) \(p)")
            let chance = difference.chanceToBeatControl
            #expect(same(chance, row.chance, scale: row.chanceBy == "exact" ? 0 : 1000), "\(row) \(chance)")
        }
    }

    @Test("300 splits: chi-square and the Dirichlet-multinomial e-value")
    func sampleRatios() throws {
        #expect(reference.sampleRatios.count == 300)
        for row in reference.sampleRatios {
            let test = try #require(SampleRatioTest(weights: row.weights))
            let (statistic, p) = test.chiSquared(row.observed)
            #expect(same(statistic, row.chiSquared, scale: 1e4) && same(p, row.p, scale: 100), "\(row) \(statistic) \(p)")
            let log = test.logEValue(row.observed)
            #expect(same(log, row.logE, scale: 100), "\(row) \(log)")
        }
    }

    @Test("200 critical values and tails of Student's t and the normal distribution")
    func students() {
        #expect(reference.students.count == 200)
        for row in reference.students {
            let found = StudentDistribution.criticalValue(alpha: row.alpha, degreesOfFreedom: row.degreesOfFreedom)
            #expect(same(found, row.criticalValue), "\(row) \(found)")
            let normal = NormalDistribution.criticalValue(alpha: row.alpha)
            #expect(same(normal, row.normal), "\(row) \(normal)")
            let p = StudentDistribution.twoSidedP(row.t, degreesOfFreedom: row.degreesOfFreedom)
            #expect(same(p, row.p, scale: 1e-3), "\(row) \(p)")
        }
    }

    @Test("Revenue: Student's and Welch's intervals")
    func revenues() throws {
        #expect(reference.revenues.count > 100)
        for row in reference.revenues {
            let treatment = try #require(RevenueSum(currency: "USD", amounts: row.treatment))
            let control = try #require(RevenueSum(currency: "USD", amounts: row.control))
            let own = try #require(RevenueEstimate(treatment))
            let size = Double(row.treatment.map(abs).max() ?? 0) / 1000 + Double(row.control.map(abs).max() ?? 0) / 1000
            let student = try #require(own.interval)
            #expect(same(own.value, row.mean, scale: size), "\(row.mean)")
            #expect(same(student.low, row.student[0], scale: size) && same(student.high, row.student[1], scale: size))
            let difference = try #require(RevenueEstimate(control: control, treatment: treatment))
            let welch = try #require(difference.interval)
            #expect(same(difference.value, row.difference, scale: size))
            #expect(same(welch.low, row.welch[0], scale: size) && same(welch.high, row.welch[1], scale: size))
        }
    }

    @Test("200 sample sizes for one look")
    func sizes() throws {
        #expect(reference.sizes.count == 200)
        for row in reference.sizes {
            let effect = try #require(ChosenEffect(detect: row.detect, expected: row.expected))
            let size = try #require(SampleSize(effect, ratio: row.ratio, alpha: row.alpha))
            #expect(same(size.controlUnits, row.controlUnits), "\(row) \(size.controlUnits)")
        }
    }

    @Test("100 families of p-values, corrected by Holm's method")
    func families() {
        #expect(reference.families.count == 100)
        for row in reference.families {
            let found = Holm.adjusted(row.values, of: row.values.count)
            #expect(zip(found, row.adjusted).allSatisfy { same($0, $1) }, "\(row) \(found)")
        }
    }

    @Test("200 confidence sequences, and their p-values found by bisection")
    func sequences() throws {
        #expect(reference.sequences.count == 200)
        for row in reference.sequences {
            let difference = try #require(
                RateDifference(control: try conversions(row.control), treatment: try conversions(row.treatment)))
            let sequence = ConfidenceSequence(alpha: row.alpha, tightestAt: row.tightestAt)
            let interval = sequence.interval(difference)
            #expect(same(interval.low, max(-1, row.low), scale: 1) && same(interval.high, min(1, row.high), scale: 1), "\(row)")
            let p = sequence.pValue(difference)
            if row.logP > -700 { #expect(same(p, Libm.exp(row.logP)), "\(row) \(p)") }
        }
    }
}
