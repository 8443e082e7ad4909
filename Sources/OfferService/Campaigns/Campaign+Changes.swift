package import EligibilityRules

extension Campaign {
    /// The campaign in one line.
    package var summary: String {
        let shares = design.variants.map { "\($0.label) \(ShareText.words($0.weight))" }
        return
            "\(name); \(shares.joined(separator: ", ")); audience: \(audience.map { ConditionText.words($0, segments: Segments(segments)) } ?? "all customers")"
    }
}

extension Segment {
    /// The changes of the copies of segments that both versions of a campaign have, one line each.
    ///
    /// Copies that were added or removed are not listed, because the change of the audience itself shows them.
    static func changes(_ old: [Segment], _ new: [Segment]) -> [String] {
        new.flatMap { segment in
            old.filter { ExactText($0.id) == ExactText(segment.id) }.flatMap { before in
                before.changes(to: segment).map { "segment “\(segment.name)”, \($0)" }
            }
        }
    }

    /// What changes from this version to a newer one, one line each.
    package func changes(to new: Segment) -> [String] {
        (ExactText(name) == ExactText(new.name) ? [] : ["name: \(name) → \(new.name)"])
            + ConditionChanges.lines(condition, new.condition).map { "condition: \($0)" }
    }
}

/// Basis points as people read them: `50 %`, `0.5 %`.
package enum ShareText {
    /// Returns basis points as a percentage.
    package static func words(_ basisPoints: Int) -> String {
        let (whole, rest) = basisPoints.magnitude.quotientAndRemainder(dividingBy: 100)
        let digits = rest == 0 ? "" : rest % 10 == 0 ? ".\(rest / 10)" : rest < 10 ? ".0\(rest)" : ".\(rest)"
        return "\(basisPoints < 0 ? "-" : "")\(whole)\(digits) %"
    }
}
