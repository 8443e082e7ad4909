import OfferService
import OfferStore

extension ServiceConfiguration {
    /// What there is to say when `lacksHistories` is true.
    static let lackOfHistories =
        "there are signatures but no purchase histories, and eligibility is enforced: every customer counts as new"

    /// Whether histories seem to have been lost: none is there although signatures are, and an app enforces eligibility.
    func lacksHistories(_ histories: any HistoryStore, _ ledger: any Ledger) async throws -> Bool {
        guard apps.contains(where: { $0.enforcement == .enforce }), try await histories.isEmpty() else { return false }
        return try await ledger.latestInstant() != nil
    }
}
