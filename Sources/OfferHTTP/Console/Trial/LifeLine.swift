import EligibilityRules

/// The time that a customer was subscribed, as a drawing. Coordinates are percentages, so that text keeps its size.
struct LifeLine {
    /// The time from one payment to the next.
    struct Period {
        let start: Instant
        let end: Instant
        let hasOffer: Bool
    }

    private static let maxPeriods = 120
    private static let labels = 4

    private let periods: [Period]
    private let first: Instant
    private let last: Instant
    private let now: Instant
    private let time: ConsoleTime

    /// Returns nil if there are no periods.
    init?(_ periods: [Period], now: Instant, time: ConsoleTime) {
        let shown = periods.filter { $0.end > $0.start }.suffix(Self.maxPeriods)
        guard let first = shown.map(\.start).min(), let end = shown.map(\.end).max() else { return nil }
        (self.periods, self.first, self.now, self.time) = (Array(shown), first, now, time)
        last = max(end, now, first.advanced(by: 1))
    }

    /// The values for the template.
    var values: [String: Any] {
        let offers = periods.count(where: \.hasOffer)
        return [
            "range": "\(time.day(first)) to \(time.day(last))",
            "alt": "\(ConsoleTime.count(periods.count, "period")), \(offers) of them with an offer, from \(time.day(first))",
            "periods": periods.map {
                // A gap separates the periods.
                ["x": percent($0.start), "width": width($0), "class": $0.hasOffer ? "trial" : "paid"]
            },
            "now": percent(now), "nowAnchor": fraction(now) > 0.5 ? "end" : "start",
            "labels": (0..<Self.labels).map { number -> [String: Any] in
                let instant = first.advanced(by: last.milliseconds(since: first) * Int64(number) / Int64(Self.labels - 1))
                return [
                    "x": percent(instant), "anchor": number == 0 ? "start" : number == Self.labels - 1 ? "end" : "middle",
                    "isOptional": number % 3 != 0, "text": time.day(instant),
                ]
            },
        ]
    }

    private func fraction(_ instant: Instant) -> Double {
        Double(instant.milliseconds(since: first)) / Double(last.milliseconds(since: first))
    }

    private func percent(_ instant: Instant) -> String { ConsoleTime.percent(Int(fraction(instant) * 100_000), of: 100_000) }

    private func width(_ period: Period) -> String {
        let share = fraction(period.end) - fraction(period.start)
        return ConsoleTime.percent(Int(max(share - min(0.002, share / 4), 0.001) * 100_000), of: 100_000)
    }
}
