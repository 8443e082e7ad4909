/// Puts a conclusion into words that a marketer understands.
struct VerdictWording {
    let plan: ExperimentPlan
    let variants: [VariantResults]
    let outcomes: [GoalOutcomes]
    let sampleRatio: SampleRatioResults
    let money: MoneyWording

    func verdict(_ conclusion: ExperimentConclusion) -> ExperimentVerdict {
        switch conclusion {
        case .winner(variant: 0):
            return ExperimentVerdict(code: .winner, sentence: controlWins, variant: id(0), caution: money.caution(0))
        case .winner(let variant):
            return ExperimentVerdict(
                code: .winner, sentence: wins(variant), variant: id(variant), caution: money.caution(variant))
        case .noDifference: return verdict(.noDifference, withMoney(noDifference))
        case .undecided: return verdict(.noVerdictYet, withMoney(undecided))
        case .beforeHorizon: return verdict(.noVerdictYet, beforeHorizon)
        case .nothingToCompare:
            return verdict(.noVerdictYet, "There is nothing to compare: only one variant is given to customers.")
        case .tooLittleData(let variant): return verdict(.tooLittleData, tooLittleData(variant))
        case .unknownMoney(let currencies): return verdict(.noVerdictYet, unknownMoney(currencies))
        case .sampleRatioMismatch: return verdict(.sampleRatioMismatch, mismatch)
        }
    }

    private func verdict(_ code: ExperimentVerdict.Code, _ sentence: String) -> ExperimentVerdict {
        ExperimentVerdict(code: code, sentence: sentence, variant: nil, caution: nil)
    }

    private func id(_ variant: Int) -> String { variants[variant].tally.id }

    private func name(_ variant: Int) -> String { variants[variant].tally.label }

    private func named(_ variant: Int) -> (place: Int, name: String) { (variant, name(variant)) }

    private var words: MeasureWording { MeasureWording(measure: plan.measure, outcomes: outcomes) }

    /// The variants that are compared with the control, with the intervals on which the verdict rests.
    private var compared: [(variant: Int, interval: ConfidenceInterval)] {
        money.pairs.compactMap { pair in
            pair.base == 0 ? pair.difference(of: plan.measure).map { (pair.other, $0.interval) } : nil
        }
    }

    private func wins(_ variant: Int) -> String {
        var text = words.gains(named(variant), over: named(0))
        if let (_, interval) = compared.first(where: { $0.variant == variant }) {
            text += " The true gain lies between \(words.magnitudes(interval))."
        }
        let rivals = money.rivals(of: variant)
        let (beaten, unbeaten) = (rivals.dropFirst().filter(\.isBeaten), rivals.dropFirst().filter { !$0.isBeaten })
        if !beaten.isEmpty { text += " It was also shown to \(words.better) \(list(beaten.map(money.named)))." }
        if !unbeaten.isEmpty { text += " It was not shown to \(words.better) \(list(unbeaten.map(money.named)))." }
        guard plan.measure == .conversion else { return "\(text) \(customersWhoPaid(variant))" }
        if let control = rivals.first, let sentence = money.sentence(variant, againstControl: control) { text += " \(sentence)" }
        return text
    }

    private func withMoney(_ text: String) -> String { money.shown.map { "\(text) \($0)" } ?? text }

    private var controlWins: String {
        let others = compared.map { "\(name($0.variant)) \(words.value($0.variant))" }
        let fewer = plan.measure == .conversion ? "fewer" : "less"
        return "Stay with \(name(0)): \(words.reached(0)), against \(fewer) with every other variant (\(list(others)))."
    }

    /// `Of 100 customers 18.2 paid, against 20.0 with control.`
    private func customersWhoPaid(_ variant: Int) -> String {
        func rate(_ variant: Int) -> String { PlainNumber.ofHundred(outcomes[variant].conversions.rate ?? 0) }
        return "Of 100 customers \(rate(variant)) paid, against \(rate(0)) with \(name(0))."
    }

    private var noDifference: String {
        let ranges = compared.map { "\(name($0.variant)): between \(words.range($0.interval))" }
        return "No difference worth knowing: compared with \(name(0)) the true difference is smaller than the"
            + " \(words.size(plan.effect?.detect ?? 0)) that were asked for (\(ranges.joined(separator: "; ")))."
    }

    private var undecided: String {
        let parts = compared.map { variant, interval in
            "So far \(words.soFar(named(variant), named(0))); the true difference lies between \(words.range(interval))."
        }
        let doubt = plan.method == .sequential ? " You may look every day." : ""
        let does = plan.measure == .conversion ? "does better than" : "earns more than"
        let others = compared.isEmpty ? plan.comparisons.map(\.variant) : compared.map(\.variant)
        return "We cannot say yet whether \(list(others.map(name), "or")) \(does) \(name(0))."
            + parts.map { " " + $0 }.joined() + doubt
    }

    private var beforeHorizon: String {
        guard case .fixedHorizon(let units) = plan.method else { return undecided }
        let matured = variants.reduce(0) { $0 + $1.tally.outcomes.units }
        return
            "We cannot say yet: this test is read once, when the first \(PlainNumber.text(units)) customers have had their time."
            + " \(PlainNumber.text(min(matured, units))) of them have."
    }

    private func tooLittleData(_ variant: Int) -> String {
        let found = outcomes[variant].conversions
        return "Too little data: each variant needs \(ExperimentPlan.minimumUnits) customers whose time is over and"
            + " \(ExperimentPlan.minimumConversions) of them who reached the goal. \(name(variant)) has"
            + " \(PlainNumber.text(found.units)) and \(PlainNumber.text(found.converted))."
    }

    private var mismatch: String {
        let planned = plan.sampleRatio.shares.map(PlainNumber.ofHundred).joined(separator: " : ")
        let all = sampleRatio.observed.reduce(0.0) { $0 + Double($1) }
        let got = sampleRatio.observed.map { PlainNumber.ofHundred(all > 0 ? Double($0) / all : 0) }.joined(separator: " : ")
        let counts = sampleRatio.observed.map(PlainNumber.text).joined(separator: ", ")
        return "No verdict: the variants did not get the customers that they should. Planned \(planned), got \(got) (\(counts))."
            + " By chance this happens less than once in 1,000 tests, so a comparison would be wrong."
    }

    private func unknownMoney(_ currencies: [String]) -> String {
        guard case .revenue(let currency) = plan.measure else { return undecided }
        return "We cannot say yet: customers paid in \(list(currencies)), and there is no rate to convert that into \(currency)."
            + " Security can set rates in the configuration."
    }

    private func list(_ texts: [String], _ word: String = "and") -> String { PlainList.text(texts, word) }
}

/// Writes numbers as people read them, with a decimal point and with commas between thousands.
enum PlainNumber {
    /// With one decimal, rounded half away from zero.
    static func text(_ value: Double) -> String {
        guard abs(value) < 1e15 else { return "\(value)" }
        let tenths = Int((abs(value) * 10).rounded())
        let sign = value < 0 && tenths > 0 ? "−" : ""
        return "\(sign)\(text(tenths / 10)).\(tenths % 10)"
    }

    /// With two decimals, for money.
    static func money(_ value: Double) -> String {
        guard abs(value) < 1e15 else { return "\(value)" }
        let hundredths = Int((abs(value) * 100).rounded())
        let sign = value < 0 && hundredths > 0 ? "−" : ""
        let cents = hundredths % 100
        return "\(sign)\(text(hundredths / 100)).\(cents < 10 ? "0" : "")\(cents)"
    }

    /// With commas between thousands.
    static func text(_ value: Int) -> String {
        let digits = String(value)
        var result = ""
        for (place, digit) in digits.enumerated() {
            if place > 0, (digits.count - place).isMultiple(of: 3), result != "-" { result.append(",") }
            result.append(digit)
        }
        return result
    }

    /// A share as a number out of 100.
    static func ofHundred(_ share: Double) -> String { text(share * 100) }
}
