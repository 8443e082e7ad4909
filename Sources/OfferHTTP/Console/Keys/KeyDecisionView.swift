import OfferService

/// The last decision about a key.
struct KeyDecisionView: TemplateView {
    let at: RichText
    let by: String
    let reason: String?

    /// Creates the view; nil if nothing is decided yet.
    init?(_ status: KeyDesk.KeyStatus, in listing: KeyListing) {
        guard let at = status.decidedAt, let by = status.decidedBy else { return nil }
        self.at = listing.time.at(at, withZone: false)
        self.by = listing.name(by)
        reason = status.reason?.nonEmpty
    }
}
