import EligibilityRules
import OfferService

/// The events of a customer, latest first.
///
/// Prices are left out, because not every reader may see them.
struct TimelineView: TemplateView {
    /// An event, or consecutive renewals.
    struct Line: TemplateView {
        let when: String
        let text: String
        /// Whether a paid period begins with the event.
        let isOn: Bool
    }

    private static let maxLines = 40

    /// The drawing of the paid periods; nil if the customer has none.
    let life: LifeLine?
    let lines: [Line]
    /// A sentence about how many older events are left out; nil if none are.
    let more: String?

    /// Returns nil if there is no event to show.
    ///
    /// - Parameter events: the customer's events, oldest first.
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
    /// The period that was bought with the event's purchase. If it was refunded, it ends at the refund. Nil for any other event.
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

/// One event of a customer, or consecutive renewals of one product.
struct TimelineRun {
    /// This many consecutive renewals, or more, are shown as one line.
    private static let long = 3

    /// When the first of the events took place.
    private(set) var from: Instant
    /// When the last of the events took place.
    let until: Instant
    /// Whether a paid period begins with the event.
    let isOn: Bool
    /// One of the events in words.
    let text: String
    /// The number of events.
    private(set) var count = 1
    /// The product of a renewal without an offer; empty if the event is anything else.
    let renewed: String

    /// Whether the events are shown as one line.
    var isLong: Bool { count >= Self.long }

    /// Returns the lines to show, latest first.
    ///
    /// - Parameter events: the customer's events, oldest first.
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

    /// The run itself, if it is shown as one line. Otherwise it is one run for each of its events.
    private var lines: [TimelineRun] {
        guard count > 1, !isLong else { return [self] }
        return [until, from].map { TimelineRun(from: $0, until: $0, isOn: isOn, text: text, renewed: renewed) }
    }
}

/// Describes the events of a customer in words.
struct TimelineWords {
    /// All of the customer's events, oldest first.
    let events: [TimelineEvent]

    /// Returns the event in words, and whether a paid period begins with it; nil if the event is not shown.
    func words(_ event: TimelineEvent) -> (String, Bool)? {
        switch event.content {
        case .purchase(let bought):
            let verb = bought.expiry == nil ? "Bought" : bought.isOwn ? "Subscribed to" : "Shared or assigned subscription:"
            return ("\(verb) \(bought.productID)\(offer(bought))", true)
        case .renewal(let bought): return ("Renewed \(bought.productID)\(offer(bought))", true)
        case .productChange(let bought): return ("Changed to \(bought.productID)\(offer(bought))", true)
        case .resumption(let bought): return ("Came back to \(bought.productID)\(offer(bought))", true)
        case .seatAddition(let bought): return ("Added seats to \(bought.productID)", true)
        case .seatRefund(let bought): return ("Seats refunded: \(bought.productID)", false)
        case .refund(let bought): return ("Refunded: \(bought.productID)", false)
        case .revocation(let bought): return ("Lost the shared or assigned subscription: \(bought.productID)", false)
        case .lapse(let bought): return ("Lapsed: \(bought.productID)", false)
        case .renewalStatement(let state):
            // What is stated about the renewal of a subscription that has already lapsed says nothing new.
            return hasLapsed(event.originalTransactionID) ? nil : statement(state).map { ($0, false) }
        case .notification: return nil
        case .signature(let product, let offer, _, _, let redeemedBy):
            return ("Was given \(offer) on \(product)" + (redeemedBy == nil ? "" : ", and took it"), false)
        case .refusal(let product, let offer, let reason, _):
            return ("Was refused \(offer.isEmpty ? "an offer" : offer) on \(product): \(RefusalWords.text(of: reason))", false)
        }
    }

    private func hasLapsed(_ chain: String?) -> Bool {
        let last = events.last { $0.originalTransactionID == chain && $0.transaction != nil }
        if case .lapse = last?.content { return true }
        return false
    }

    private func statement(_ state: RenewalState) -> String? {
        if state.isInBillingRetry == true { return "The App Store tries to collect the price" }
        return state.willRenew.map { $0 ? "Renewal is on, says the App Store" : "Renewal is off, says the App Store" }
    }

    private func offer(_ transaction: PurchaseTransaction) -> String {
        guard let offer = transaction.offer else { return "" }
        let id = offer.id.map { " \($0)" } ?? ""
        switch offer.kind {
        case .introductory: return ", with its introductory offer"
        case .promotional: return ", with the offer\(id)"
        case .offerCode: return ", with an offer code\(id)"
        case .winBack: return ", with Apple's win-back offer\(id)"
        case .retention: return ", with Apple's retention offer\(id)"
        case .unrecognised: return ", with an offer of a kind that is not known"
        }
    }
}
