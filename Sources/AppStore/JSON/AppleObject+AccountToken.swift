import EligibilityRules

extension AppleObject {
    /// Returns the field `appAccountToken` of a statement, in lower case: the customer's UUID in the app.
    func accountToken(_ stamp: Stamp) -> Stamped<ExactText>? {
        text("appAccountToken").map { Stamped(ExactText($0.lowercased()), stamp) }
    }
}
