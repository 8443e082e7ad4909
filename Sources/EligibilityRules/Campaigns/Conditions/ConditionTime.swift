/// The time with which the tests `before` and `after` compare a value.
public enum ConditionTime: Hashable, Sendable {
    /// A point in time.
    case at(Instant)
    /// The time that lies one period before now.
    ///
    /// An instant is later than that time if a period that begins at the instant ends after now. The period is always counted
    /// forwards, because months differ in length.
    case ago(CalendarPeriod)
    /// The time that lies one period after now.
    case ahead(CalendarPeriod)

    /// Reads `2026-03-01`, `2026-03-01T09:30:00Z`, `-P30D` (30 days ago) and `P30D` (30 days ahead); nil for anything else.
    public init?(_ text: String) {
        if text.utf8.first == 0x2D {
            guard let period = CalendarPeriod(String(text.dropFirst())) else { return nil }
            self = .ago(period)
        } else if let period = CalendarPeriod(text) {
            self = .ahead(period)
        } else {
            guard let instant = Instant(iso8601: text) else { return nil }
            self = .at(instant)
        }
    }

    /// Whether this time is after an instant.
    func isAfter(_ instant: Instant, at now: Instant) -> Bool {
        switch self {
        case .at(let time): instant < time
        case .ago(let period): period.after(instant) < now
        case .ahead(let period): instant < period.after(now)
        }
    }

    /// Whether this time is before an instant.
    func isBefore(_ instant: Instant, at now: Instant) -> Bool {
        switch self {
        case .at(let time): instant > time
        case .ago(let period): period.after(instant) > now
        case .ahead(let period): instant > period.after(now)
        }
    }
}
