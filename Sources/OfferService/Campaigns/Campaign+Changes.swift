package import EligibilityRules

extension Campaign {
    /// The changes in another version, one line for each field, in the order of the fields; empty if it means the same.
    package func changes(to new: Campaign) -> [String] {
        var lines: [String] = []
        func compare(_ field: String, _ old: String, _ new: String) {
            if ExactText(old) != ExactText(new) { lines.append("\(field): \(old) → \(new)") }
        }
        compare("id", id, new.id)
        compare("name", name, new.name)
        compare("hypothesis", hypothesis.line, new.hypothesis.line)
        compare("tags", tags.words, new.tags.words)
        compare("bundleId", bundleID, new.bundleID)
        compare("placement", slot.placement ?? "any in the app", new.slot.placement ?? "any in the app")
        compare("priority", String(slot.priority), String(new.slot.priority))
        compare("exclusionGroup", slot.exclusionGroup ?? "none", new.slot.exclusionGroup ?? "none")
        compare("schedule.from", schedule.from.words(or: "publishing"), new.schedule.from.words(or: "publishing"))
        compare("schedule.until", schedule.until.words(or: "no end"), new.schedule.until.words(or: "no end"))
        compare("unit", design.unit.rawValue, new.design.unit.rawValue)
        compare("enrolment", ShareText.words(design.enrolment), ShareText.words(new.design.enrolment))
        compare("holdout", ShareText.words(design.holdout), ShareText.words(new.design.holdout))
        lines += ConditionChanges.lines(audience, new.audience).map { "audience: \($0)" }
        lines += Segment.changes(segments, new.segments).map { "audience: \($0)" }
        compare("limits.perCustomer", limits?.perCustomer.words ?? "none", new.limits?.perCustomer.words ?? "none")
        compare("limits.per", limits?.per?.text ?? "for ever", new.limits?.per?.text ?? "for ever")
        compare("limits.total", limits?.total.words ?? "none", new.limits?.total.words ?? "none")
        lines += CampaignVariant.changes(design.variants, new.design.variants)
        compare("goal.metric", design.goal.metric.rawValue, new.design.goal.metric.rawValue)
        compare("goal.window", design.goal.window.text, new.design.goal.window.text)
        compare("goal.expected", design.goal.expected?.spelling ?? "none", new.design.goal.expected?.spelling ?? "none")
        compare("goal.detect", design.goal.detect?.spelling ?? "none", new.design.goal.detect?.spelling ?? "none")
        compare("analysis", design.analysis.words, new.design.analysis.words)
        return lines
    }

    /// A summary in one line.
    package var summary: String {
        let shares = design.variants.map { "\($0.label) \(ShareText.words($0.weight))" }
        return
            "\(name); \(shares.joined(separator: ", ")); audience: \(audience.map { ConditionText.words($0, segments: Segments(segments)) } ?? "all customers")"
    }
}

extension Segment {
    /// The changes in the copies of segments that a campaign has. Those that come or go show in the audience itself.
    fileprivate static func changes(_ old: [Segment], _ new: [Segment]) -> [String] {
        new.flatMap { segment in
            old.filter { ExactText($0.id) == ExactText(segment.id) }.flatMap { before in
                before.changes(to: segment).map { "segment “\(segment.name)”, \($0)" }
            }
        }
    }

    /// The changes in another version.
    package func changes(to new: Segment) -> [String] {
        (ExactText(name) == ExactText(new.name) ? [] : ["name: \(name) → \(new.name)"])
            + ConditionChanges.lines(condition, new.condition).map { "condition: \($0)" }
    }
}

extension Instant? {
    fileprivate func words(or other: String) -> String { self?.exactISO8601 ?? other }
}

extension String? {
    fileprivate var line: String { self?.split(whereSeparator: \.isNewline).joined(separator: " ") ?? "none" }
}

extension [String] {
    fileprivate var words: String { isEmpty ? "none" : joined(separator: ", ") }
}

extension Int? {
    fileprivate var words: String { map(String.init) ?? "none" }
}

extension CampaignAnalysis {
    fileprivate var words: String {
        switch self {
        case .sequential: "sequential"
        case .fixed(let units): "fixed, \(units) customers"
        }
    }
}

/// Basis points as people read them: `50 %`, `0.5 %`.
package enum ShareText {
    /// The percentage.
    package static func words(_ basisPoints: Int) -> String {
        let (whole, rest) = basisPoints.magnitude.quotientAndRemainder(dividingBy: 100)
        let digits = rest == 0 ? "" : rest % 10 == 0 ? ".\(rest / 10)" : rest < 10 ? ".0\(rest)" : ".\(rest)"
        return "\(basisPoints < 0 ? "-" : "")\(whole)\(digits) %"
    }
}
