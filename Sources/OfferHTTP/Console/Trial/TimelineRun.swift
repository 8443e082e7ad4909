import EligibilityRules
import OfferService

/// One event of a customer, or consecutive renewals of one product.
struct TimelineRun {
    /// The number of renewals that become one line.
    private static let long = 3

    /// When the first of the events was.
    private(set) var from: Instant
    /// When the last of the events was.
    let until: Instant
    /// Whether a paid period begins.
    let isOn: Bool
    /// One of the events in words.
    let text: String
    /// The number of events.
    private(set) var count = 1
    /// The renewed product; empty: the event is not a renewal.
    let renewed: String

    /// Whether it is shown as one line about several events.
    var isLong: Bool { count >= Self.long }

    /// Returns the events that are shown, latest first.
    ///
    /// - Parameter events: the events, oldest first.
    static func all(of events: [TimelineEvent]) -> [TimelineRun] {
        let words = TimelineWords(events: events)
        var all: [TimelineRun] = []
        for event in events.reversed() {
            guard let (text, isOn) = words.words(event) else { continue }
            var renewed = ""
            if case .renewal(let transaction) = event.content, transaction.offer == nil { renewed = transaction.productID }
            if !renewed.isEmpty, let last = all.last, last.renewed == renewed {
                all[all.count - 1].from = event.at
                all[all.count - 1].count += 1
            } else {
                all.append(TimelineRun(from: event.at, until: event.at, isOn: isOn, text: text, renewed: renewed))
            }
        }
        return all.flatMap(\.lines)
    }

    /// The run itself; the single events of a short one.
    private var lines: [TimelineRun] {
        guard count > 1, !isLong else { return [self] }
        return [until, from].map { TimelineRun(from: $0, until: $0, isOn: isOn, text: text, renewed: renewed) }
    }
}
