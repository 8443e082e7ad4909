import EligibilityRules
import OfferService

/// The events of a customer in words.
struct TimelineWords {
    /// The events, oldest first.
    let events: [TimelineEvent]

    /// Returns the event in words, and whether a paid period begins; nil if the event is not shown.
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
}
