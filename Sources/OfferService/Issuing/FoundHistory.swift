import OfferStore

/// What was found of one of a request's customers; a request has one as a rule.
struct FoundHistory: Sendable {
    let query: HistoryQuery
    let stored: StoredHistory
}
