package import EligibilityRules
package import OfferStore

extension Customer {
    /// Makes a customer from a stored history and from the app's catalogue and policy.
    package init(_ stored: StoredHistory, of app: App, now: Instant) {
        self.init(
            history: stored.history,
            accountChains: stored.accountChains,
            completeness: stored.completeness,
            catalogue: app.catalogue,
            seenGroups: app.groups.current,
            policy: app.policy,
            now: now
        )
    }
}
