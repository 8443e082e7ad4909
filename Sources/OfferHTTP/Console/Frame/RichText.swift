/// A text with marked parts.
///
/// A template shows the field `words` of this type with `{{#words}}{{>rich-text}}{{/words}}`.
///
/// The marked parts are interpolations: `"Revision \(code: id) is \(strong: "live") since \(time.at(since))."`.
struct RichText: TemplateView, Sendable {
    /// One part of the text.
    ///
    /// Exactly one of the fields has a value. Which one it is says how the part is marked.
    struct Run: TemplateView, Sendable {
        var plain: String?
        var code: String?
        var strong: RichText?
        /// A strong text that is not broken into lines.
        var whole: String?
        /// A small text, in a weaker colour.
        var small: RichText?
        /// A remark in a weaker colour that is not broken into lines.
        var aside: String?
        var moment: MomentText?
        var badge: BadgeView?
        var link: LinkView?
        var isBreak = false
    }

    private(set) var runs: [Run]

    var isEmpty: Bool { runs.isEmpty }

    /// The start of a new line.
    static let lineBreak = RichText(runs: [Run(isBreak: true)])

    init(runs: [Run]) { self.runs = runs }

    init(_ text: String) { runs = text.isEmpty ? [] : [Run(plain: text)] }

    static func + (left: RichText, right: RichText) -> RichText { RichText(runs: left.runs + right.runs) }
}

extension RichText: ExpressibleByStringInterpolation {
    struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var runs: [Run] = []

        init(literalCapacity: Int, interpolationCount: Int) {}

        mutating func appendLiteral(_ text: String) { appendInterpolation(text) }
        mutating func appendInterpolation(_ text: String) { if !text.isEmpty { runs.append(Run(plain: text)) } }
        mutating func appendInterpolation(_ number: some BinaryInteger) { runs.append(Run(plain: "\(number)")) }
        mutating func appendInterpolation(_ text: RichText) { runs += text.runs }
        mutating func appendInterpolation(strong text: RichText) { runs.append(Run(strong: text)) }
        mutating func appendInterpolation(strong text: String) { runs.append(Run(strong: RichText(text))) }
        mutating func appendInterpolation(whole text: String) { runs.append(Run(whole: text)) }
        mutating func appendInterpolation(small text: RichText) { runs.append(Run(small: text)) }
        mutating func appendInterpolation(aside text: String) { runs.append(Run(aside: text)) }
        mutating func appendInterpolation(code text: String) { runs.append(Run(code: text)) }
        mutating func appendInterpolation(badge word: String, tone: String) {
            runs.append(Run(badge: BadgeView(word: word, tone: tone)))
        }
        mutating func appendInterpolation(link text: String, to href: String) {
            runs.append(Run(link: LinkView(href: href, label: text)))
        }
    }

    init(stringLiteral text: String) { self.init(text) }
    init(stringInterpolation: StringInterpolation) { runs = stringInterpolation.runs }
}

extension [RichText] {
    /// Returns the texts as one.
    func joined(separator: RichText = "") -> RichText {
        guard let first else { return "" }
        return dropFirst().reduce(first) { $0 + separator + $1 }
    }
}

extension String.StringInterpolation {
    /// Makes the compiler refuse a `RichText` inside a plain text, where it would lose its marks.
    @available(*, unavailable, message: "write a RichText")
    mutating func appendInterpolation(_ text: RichText) {}
}
