package import EligibilityRules
package import OfferStore

/// What is answered to a refund request, and why.
package struct RefundJudgement: Sendable {
    /// Why nothing may be sent. A code never changes its meaning.
    package enum Obstacle: String, Sendable, CaseIterable {
        /// No consent was ever recorded.
        case noConsent = "no-consent"
        case consentWithdrawn = "consent-withdrawn"
        /// Another person has paid: Apple takes no answer about a shared or assigned purchase.
        case notOwn = "not-own"
        /// The Advanced Commerce API needs an answer of another form.
        case advancedCommerce = "advanced-commerce"
        /// The store does not have the purchase.
        case unknownTransaction = "unknown-transaction"
    }

    /// Nil if nothing may be sent for want of a purchase.
    package let purchase: RefundCase?
    /// The customer's own id; nil if none is known.
    package let customerID: String?
    /// Nil if none was ever recorded.
    package let consent: ConsumptionConsent?
    /// The name of the policy that applies; nil for none.
    package let policy: String?
    /// Nil for want of a purchase.
    package let answer: RefundAnswer?
    /// Nil: the answer may be sent.
    package let obstacle: Obstacle?
}
