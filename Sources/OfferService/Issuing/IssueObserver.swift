package import EligibilityRules
package import OfferStore

/// Is told what was signed and what was refused, for the audit lines and the metrics: when it is certain, and once.
package protocol IssueObserver: Sendable {
    /// The signatures of one request are durable; its answer is about to leave.
    func didSign(_ entry: LedgerEntry)

    /// One item was signed although the rules say no, because the app only takes their advice.
    func didSign(against verdict: Verdict, bundleID: String)

    /// One item was refused.
    func didRefuse(_ refusal: RefusalRecord)

    /// One override was not signed because the App Store needs none.
    func didFindUnneeded(_ item: RefusalRecord)
}

/// Which offer was not signed, for whom, and why.
package struct RefusalRecord: Sendable {
    package let productID: String
    /// Empty for an introductory offer.
    package let offerID: String
    package let verdict: Verdict
    package let bundleID: String
    package let caller: String
    package let requestID: String
}
