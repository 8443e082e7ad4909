package import EligibilityRules

/// The results of a campaign's experiment now.
package enum ExperimentFigures: Sendable {
    /// The results of the last count, with the progress of a new count that is under way.
    case counted(ExperimentReport, CountingProgress?)
    /// The first count is under way.
    case counting(CountingProgress)
}
