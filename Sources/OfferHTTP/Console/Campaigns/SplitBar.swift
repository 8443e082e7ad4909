import EligibilityRules

/// The shares of the variants, as a drawing.
struct SplitBar {
    /// The names and weights, in basis points, in the order of the variants.
    let shares: [(name: String, weight: Int)]

    /// Creates a bar of shares.
    init(shares: [(name: String, weight: Int)]) { self.shares = shares }

    /// Creates a bar of a campaign's variants.
    init(_ variants: [CampaignVariant]) { shares = variants.map { ($0.id, $0.weight) } }

    /// The values for the template.
    var values: [String: Any] {
        var start = 0
        var bars: [[String: Any]] = []
        for (index, share) in shares.enumerated() {
            let weight = max(0, min(share.weight, Bucket.count - start))
            bars.append([
                "class": Self.style(index), "x": ConsoleTime.percent(start, of: Bucket.count),
                "width": ConsoleTime.percent(weight, of: Bucket.count), "name": share.name, "share": Self.percent(share.weight),
                "isFirst": index == 0,
            ])
            start += weight
        }
        return [
            "bars": bars, "label": shares.map { "\($0.name) \(Self.percent($0.weight))" }.joined(separator: ", "),
            "ratio": shares.map { Self.percent($0.weight).replacing("\u{a0}%", with: "") }.joined(separator: " : "),
            "isShort": start < Bucket.count,
            "rest": [
                "x": ConsoleTime.percent(start, of: Bucket.count),
                "width": ConsoleTime.percent(Bucket.count - start, of: Bucket.count),
                "share": Self.percent(Bucket.count - start),
            ],
        ]
    }

    /// Returns the class of a variant's colour.
    static func style(_ index: Int) -> String { "v\(index % 6)" }

    /// Returns `33.3 %`, with as many decimals as needed.
    static func percent(_ basisPoints: Int) -> String {
        (DecimalShift.text("\(basisPoints)", by: -2) ?? "\(basisPoints)") + "\u{a0}%"
    }
}
