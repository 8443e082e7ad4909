import EligibilityRules

extension DecisionTable {
    /// The table in Markdown, as docs/eligibility.md carries it.
    static var markdown: String {
        sections.map { section in
            let head = [
                "### \(section.title)", "",
                "| customer | history | subscription | introductory offer | promotional offer | win-back offers |",
                "|---|---|---|---|---|---|",
            ]
            return (head + section.rows.map(\.markdown)).joined(separator: "\n")
        }
        .joined(separator: "\n\n")
    }

    /// The table of reasons in Markdown, as docs/eligibility.md carries it.
    static var reasons: String {
        (["| code | meaning |", "|---|---|"] + Reason.allCases.map { "| `\($0.code)` | \($0.message) |" })
            .joined(separator: "\n")
    }
}

extension DecisionRow {
    fileprivate var markdown: String {
        let history = chains.map { "`\($0.id)`: \($0.story.joined(separator: ", "))" }.joined(separator: "; ")
        let cells = [
            name,
            history.isEmpty ? "–" : history,
            state.rawValue + (subscribed.map { $0 == "monthly" ? "" : " (`\($0)`)" } ?? ""),
            introductory.markdown,
            promotional.markdown,
            winBackOffers.isEmpty ? "–" : winBackOffers.map { "`\($0)`" }.joined(separator: ", "),
        ]
        return "| " + cells.joined(separator: " | ") + " |"
    }
}

extension Verdict {
    fileprivate var markdown: String {
        let codes = reasons.map { "`\($0.code)`" }.joined(separator: ", ")
        return "**\(status.rawValue)** \(codes)\(transactionID.map { ", by `\($0)`" } ?? "")"
    }
}
