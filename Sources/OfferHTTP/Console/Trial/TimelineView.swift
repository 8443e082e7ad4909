import EligibilityRules
import OfferService

/// The events of a customer, latest first, for their template. Prices are left out: not every reader may see them.
struct TimelineView {
    private static let maxLines = 40
    /// The number of consecutive renewals that become one line.
    private static let run = 3

    /// The events, oldest first.
    let events: [TimelineEvent]
    let time: ConsoleTime

    private struct Line {
        var from: Instant
        let until: Instant
        let isOn: Bool
        let text: String
        /// The number of renewals that the line stands for.
        var count = 1
        /// The renewed product; empty: the line is not a renewal.
        let renewed: String
    }

    /// The values for the template; nil if there is nothing to show.
    var values: [String: Any]? {
        let lines = lines
        guard !lines.isEmpty else { return nil }
        return [
            "life": LifeLine(events.compactMap(\.purchasedPeriod), now: time.now, time: time)?.values ?? false as Any,
            "lines": lines.prefix(Self.maxLines).map { line in
                [
                    "isOn": line.isOn,
                    "text": line.count >= Self.run ? "Renewed \(line.count) times: \(line.renewed)" : line.text,
                    "when": line.count >= Self.run ? "\(day(line.from)) to \(day(line.until))" : day(line.until),
                ] as [String: Any]
            },
            "more": lines.count > Self.maxLines
                ? "\(ConsoleTime.number(lines.count - Self.maxLines)) earlier ones are not shown." : false as Any,
        ]
    }

    private var lines: [Line] {
        var all: [Line] = []
        for event in events.reversed() {
            guard let (text, isOn) = words(event) else { continue }
            var line = Line(from: event.at, until: event.at, isOn: isOn, text: text, renewed: "")
            if case .renewal(let transaction) = event.content, transaction.offer == nil {
                line = Line(from: event.at, until: event.at, isOn: isOn, text: text, renewed: transaction.productID)
            }
            if !line.renewed.isEmpty, let last = all.last, last.renewed == line.renewed {
                all[all.count - 1].from = line.from
                all[all.count - 1].count += 1
            } else {
                all.append(line)
            }
        }
        // Shorter runs stay single lines.
        return all.flatMap { line -> [Line] in
            guard line.count > 1, line.count < Self.run else { return [line] }
            return [line.until, line.from].map {
                Line(from: $0, until: $0, isOn: line.isOn, text: line.text, renewed: line.renewed)
            }
        }
    }

    /// Returns the event in words, and whether a paid period begins; nil if the event is not shown.
    private func words(_ event: TimelineEvent) -> (String, Bool)? {
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
            // A statement about a lapsed subscription adds nothing new.
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

    private func day(_ instant: Instant) -> String { time.day(instant) }
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
