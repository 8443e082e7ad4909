import EligibilityRules

/// Says why a test is likely to end without a verdict, and what would help.
enum OutlookWords {
    /// Returns `On 20 Dec, when it ends, it has about 1,400 of the 21,000 customers that it needs. So no verdict is likely. Make the
    /// smallest difference worth knowing 6.1 points, or let it run until about 3 Mar.`
    static func text(_ outlook: ExperimentOutlook, _ time: ConsoleTime) -> String {
        let (units, needed) = (ConsoleTime.number(outlook.units), ConsoleTime.count(outlook.needed, "customer"))
        let when =
            switch outlook.limit {
            case .end(let end): "On \(time.day(end)), when it ends, it has"
            case .total(let total): "When its limit of \(ConsoleTime.count(total, "offer")) is used up, it has"
            }
        var help: [String] = []
        if let detect = outlook.detect {
            help.append("make the smallest difference worth knowing \(size(detect, outlook.measure))")
        }
        switch outlook.limit {
        case .end: if let enough = outlook.enough { help.append("let it run until about \(time.day(enough))") }
        case .total: help.append("raise the limit")
        }
        let remedy = help.isEmpty ? "" : " \(help.joined(separator: ", or ").firstUppercased)"
        return "\(when) about \(units) of the \(needed) that it needs. So no verdict is likely.\(remedy)"
    }

    private static func size(_ difference: Double, _ measure: ExperimentMeasure) -> String {
        if case .revenue(let currency) = measure { return "\(FigureText.money(difference)) \(currency)" }
        let tenths = Int((difference * 1000).rounded())
        return "\(tenths.isMultiple(of: 10) ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)") points"
    }
}
