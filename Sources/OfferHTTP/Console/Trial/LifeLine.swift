import EligibilityRules

/// A drawing of the periods in which a customer was subscribed, on a line of time.
///
/// Coordinates are percentages, so that a change of the drawing's width does not change the size of its text.
struct LifeLine: TemplateView {
    /// A paid period: the time from one payment to the next.
    struct Period {
        let start: Instant
        let end: Instant
        let hasOffer: Bool
    }

    /// A paid period as a part of the drawing.
    struct Bar: TemplateView {
        let x: String
        let width: String
        /// The CSS class of the colour.
        let `class`: String
    }

    /// A day below the line.
    struct Label: TemplateView {
        let x: String
        /// Which part of the text is at `x`: its `start`, `middle` or `end`.
        let anchor: String
        let text: String
        /// Whether a narrow screen leaves the label out.
        let isOptional: Bool
    }

    /// Converts instants to positions in the drawing.
    private struct Scale {
        let first: Instant
        let last: Instant

        func fraction(_ instant: Instant) -> Double {
            Double(instant.milliseconds(since: first)) / Double(last.milliseconds(since: first))
        }

        func percent(_ instant: Instant) -> String { ConsoleTime.percent(Int(fraction(instant) * 100_000), of: 100_000) }

        /// Returns the width of a period in the drawing, less the gap that separates it from the next period.
        func width(_ period: Period) -> String {
            let share = fraction(period.end) - fraction(period.start)
            return ConsoleTime.percent(Int(max(share - min(0.002, share / 4), 0.001) * 100_000), of: 100_000)
        }
    }

    private static let maxPeriods = 120
    private static let maxLabels = 4

    /// The first and the last day of the drawing.
    let range: String
    /// The drawing in words.
    let alt: String
    let periods: [Bar]
    /// The position of the present moment.
    let now: String
    /// Which part of the text at the present moment's position is there: its `start` or its `end`.
    let nowAnchor: String
    let labels: [Label]

    /// Returns nil if there are no periods.
    init?(_ periods: [Period], now: Instant, time: ConsoleTime) {
        let shown = periods.filter { $0.end > $0.start }.suffix(Self.maxPeriods)
        guard let first = shown.map(\.start).min(), let end = shown.map(\.end).max() else { return nil }
        let last = max(end, now, first.advanced(by: 1))
        let scale = Scale(first: first, last: last)
        let offers = shown.count(where: \.hasOffer)
        range = "\(time.day(first)) to \(time.day(last))"
        alt = "\(ConsoleTime.count(shown.count, "period")), \(offers) of them with an offer, from \(time.day(first))"
        self.periods = shown.map {
            Bar(x: scale.percent($0.start), width: scale.width($0), class: $0.hasOffer ? "trial" : "paid")
        }
        self.now = scale.percent(now)
        nowAnchor = scale.fraction(now) > 0.5 ? "end" : "start"
        labels = (0..<Self.maxLabels).map { number in
            let instant = first.advanced(by: last.milliseconds(since: first) * Int64(number) / Int64(Self.maxLabels - 1))
            let isFirst = number == 0
            let isLast = number == Self.maxLabels - 1
            return Label(
                x: scale.percent(instant), anchor: isFirst ? "start" : isLast ? "end" : "middle", text: time.day(instant),
                isOptional: !isFirst && !isLast)
        }
    }
}
