/// The decisions on a batch of submissions, and what to write.
package struct LedgerDecision {
    /// One outcome for each submission, in order. Submissions that are `recorded` must be written.
    package internal(set) var outcomes: [[LedgerOutcome]] = []
    /// The new holders of units.
    package internal(set) var holders: [HoldKey: String] = [:]
    /// The number of signatures added to each total.
    package internal(set) var totals: [LimitKey: Int] = [:]
}
