import EligibilityRules

extension ConfigurationKey {
    /// The table of all keys in Markdown, which is also in docs/configuration.md.
    static var reference: String {
        let head = ["| key | type | default | secret | meaning |", "|---|---|---|---|---|"]
        let rows = all.map { key in
            "| `\(key.path)` | \(key.kind.name) | \(key.fallback.map { "`\($0)`" } ?? "–") | \(key.isSecret ? "yes" : "no") "
                + "| \(key.summary)\(isReloaded(key.path) ? "; applied by a reload" : "") |"
        }
        return (head + rows).joined(separator: "\n") + "\n"
    }
}

extension ConfigurationKey.Kind {
    /// The type and its range, for people.
    var name: String {
        switch self {
        case .text: "text"
        case .integer(let range) where range.upperBound == .max: "integer from \(range.lowerBound)"
        case .integer(let range): "integer \(range.lowerBound)…\(range.upperBound)"
        case .flag: "true or false"
        case .choice(let words): words.joined(separator: " or ")
        case .texts: "list of texts"
        case .prices: "prices by storefront, such as {USA: 9.99 USD}"
        case .rates: "rates by currency, such as {EUR: 1.08}"
        }
    }

    /// Returns the fault of a value; nil if there is none.
    func fault(of node: ConfigurationNode) -> String? {
        switch (self, node) {
        case (.text, .scalar(let text)) where text.allSatisfy(\.isWhitespace): "must not be empty"
        case (.text, .scalar): nil
        case (.integer(let range), .scalar(let text)) where Int64(text).map(range.contains) == true: nil
        case (.flag, .scalar(let text)) where text == "true" || text == "false": nil
        case (.choice(let words), .scalar(let text)) where words.contains(text): nil
        case (.texts, .list(let nodes)) where nodes.allSatisfy({ Self.text.fault(of: $0) == nil }): nil
        case (.prices, .map(let map))
        where map.allSatisfy({ Money.isCode($0) && $1.scalar.flatMap { Money($0) } != nil }): nil
        case (.rates, .map(let map)) where map.allSatisfy({ Money.isCode($0) && $1.scalar.flatMap(CurrencyRate.init) != nil }):
            nil
        default: "must be \(name)"
        }
    }
}
