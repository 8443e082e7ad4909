import EligibilityRules
import OfferService

/// The events of a customer, latest first. Prices are left out: not every reader may see them.
struct TimelineView: TemplateView {
    /// An event, or consecutive renewals.
    struct Line: TemplateView {
        let when: String
        let text: String
        /// Whether a paid period begins.
        let isOn: Bool
    }

    private static let maxLines = 40

    /// The drawing of the paid periods; nil if there are none.
    let life: LifeLine?
    let lines: [Line]
    /// How many events are left out.
    let more: String?

    /// Creates the view; nil if there is nothing to show.
    ///
    /// - Parameter events: the events, oldest first.
    init?(events: [TimelineEvent], time: ConsoleTime) {
        let runs = TimelineRun.all(of: events)
        guard !runs.isEmpty else { return nil }
        life = LifeLine(events.compactMap(\.purchasedPeriod), now: time.now, time: time)
        lines = runs.prefix(Self.maxLines).map { run in
            let until = time.day(run.until)
            return run.isLong
                ? Line(
                    when: "\(time.day(run.from)) to \(until)", text: "Renewed \(run.count) times: \(run.renewed)", isOn: run.isOn)
                : Line(when: until, text: run.text, isOn: run.isOn)
        }
        let left = runs.count - Self.maxLines
        more = left > 0 ? "\(ConsoleTime.number(left)) earlier ones are not shown." : nil
    }
}

extension TimelineEvent {
    /// The purchased period, as far as the customer paid for it.
    fileprivate var purchasedPeriod: LifeLine.Period? {
        switch content {
        case .purchase(let bought), .renewal(let bought), .productChange(let bought), .resumption(let bought):
            guard bought.isOwn, let end = bought.expiry?.value else { return nil }
            return LifeLine.Period(
                start: bought.purchasedAt, end: min(end, bought.revokedAt ?? end), hasOffer: bought.offer != nil)
        default: return nil
        }
    }
}
