import OfferStore

/// A decision that is repeated while the ledger finds limits used up. Confined to the loop of its lane.
protocol LimitedTurn: AnyObject {
    var lane: StoreLane { get }
    /// The findings about limits so far.
    var findings: [LimitFinding] { get set }

    /// Decides with these findings.
    func decide()

    /// Answers with what was recorded, or with the reason why nothing was. The outcome is never `limited`.
    func conclude(_ result: Result<LedgerOutcome, any Error>)
}

/// The maximum of limits found used up before a decision is given up: each of 20 offers may have several.
private let maxFindings = 80

extension LimitedTurn {
    /// Records the results of a decision and concludes; decides again if a limit is used up.
    func record(_ submission: LedgerSubmission) {
        guard !submission.isEmpty || !submission.probes.isEmpty else { return conclude(.success(.recorded)) }
        lane.record(submission) { [self] result in
            switch result {
            case .success(.limited) where findings.count >= maxFindings:
                conclude(.failure(IssueError.notReady("too many limits were used up meanwhile", of: .load)))
            case .success(.limited(let found)):
                findings += found
                decide()
            case .success(let outcome): conclude(.success(outcome))
            case .failure(let error): conclude(.failure(error))
            }
        }
    }
}
