/// What becomes of a batch of submissions, and what of it must be written.
package struct LedgerDecision {
    /// One for each submission, in their order. What is `recorded` is to be written.
    package internal(set) var outcomes: [[LedgerOutcome]] = []
    /// The campaigns that hold a unit from now on.
    package internal(set) var holders: [HoldKey: String] = [:]
    /// How many more signatures of a total are outstanding.
    package internal(set) var totals: [LimitKey: Int] = [:]
}
