import OfferService
import OfferStore

extension ServiceConfiguration {
    /// The warning if `lacksHistories` is true.
    static let lackOfHistories =
        "there are signatures but no purchase histories, and eligibility is enforced: every customer counts as new"

    /// Whether histories seem to be lost: there are none although there are signatures, and an app enforces eligibility.
    func lacksHistories(_ histories: any HistoryStore, _ ledger: any Ledger) async throws -> Bool {
        guard apps.contains(where: { $0.enforcement == .enforce }), try await histories.isEmpty() else { return false }
        return try await ledger.latestInstant() != nil
    }
}
