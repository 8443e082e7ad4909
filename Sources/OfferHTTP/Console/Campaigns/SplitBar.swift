import EligibilityRules

/// The shares of the variants, as a drawing.
struct SplitBar: TemplateView {
    /// A variant's part of the drawing.
    struct Bar: TemplateView {
        let name: String
        /// The share as text.
        let share: String
        /// The position in the drawing, as a percentage of its width.
        let x: String
        let width: String
        /// The CSS class of the colour.
        let `class`: String
    }

    /// The part that belongs to no variant.
    struct Rest: TemplateView {
        let share: String
        let x: String
        let width: String
    }

    let bars: [Bar]
    /// The shares in words.
    let label: String
    let isShort: Bool
    let rest: Rest

    /// Creates a bar from the names of variants and their weights in basis points, in the order of the variants.
    init(shares: [(name: String, weight: Int)]) {
        var start = 0
        bars = shares.enumerated().map { index, share in
            let weight = max(0, min(share.weight, Bucket.count - start))
            defer { start += weight }
            return Bar(
                name: share.name, share: Self.percent(share.weight), x: ConsoleTime.percent(start, of: Bucket.count),
                width: ConsoleTime.percent(weight, of: Bucket.count), class: Self.style(index))
        }
        label = shares.map { "\($0.name) \(Self.percent($0.weight))" }.joined(separator: ", ")
        isShort = start < Bucket.count
        rest = Rest(
            share: Self.percent(Bucket.count - start), x: ConsoleTime.percent(start, of: Bucket.count),
            width: ConsoleTime.percent(Bucket.count - start, of: Bucket.count))
    }

    /// Returns the CSS class of a variant's colour.
    static func style(_ index: Int) -> String { "v\(index % 6)" }

    /// Returns `33.3 %`, with as many decimals as needed.
    static func percent(_ basisPoints: Int) -> String {
        let percent = "\(Double(basisPoints) / 100)"
        return (percent.hasSuffix(".0") ? String(percent.dropLast(2)) : percent) + "\u{a0}%"
    }
}
