import OfferStore

/// A decision that is made again while the ledger finds limits used up. Confined to the loop of its lane.
protocol LimitedDecision: AnyObject {
    var lane: StoreLane { get }
    /// What was found of limits so far.
    var findings: [LimitFinding] { get set }

    /// Decides with these findings.
    func decide()

    /// Answers with what was recorded, or with why nothing was. The outcome is never `limited`.
    func conclude(_ result: Result<LedgerOutcome, any Error>)
}

/// How many limits may turn out to be used up before a decision is given up: each of 20 offers may have several.
private let maxFindings = 80

extension LimitedDecision {
    /// Records what a decision leaves behind and concludes; decides once more where a limit is used up.
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
