import EligibilityRules
import OfferStore

extension Customer {
    /// A customer as the store knows them, looked at with the app's catalogue and policy.
    init(_ stored: StoredHistory, of app: App, now: Instant) {
        self.init(
            history: stored.history,
            isHistorySupplied: stored.isSupplied,
            catalogue: app.catalogue,
            policy: app.policy,
            now: now
        )
    }
}
