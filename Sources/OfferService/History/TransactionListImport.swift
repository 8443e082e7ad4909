import AppStore
import EligibilityRules
package import OfferStore
import WireText

/// Imports a list that has a transaction id of each customer: fetches what the App Store knows about the transaction, and gives
/// it to the customer. An import can be interrupted and resumed.
///
/// Lines whose progress was not saved are asked about once more, because fetching a history twice changes nothing.
package struct TransactionListImport: Sendable {
    /// How many lines are asked about at the same time. The client of the Server API decides how many requests are sent in a
    /// second.
    private static let width = 6
    /// After how many lines the progress is saved.
    private static let step = 100

    let refresh: HistoryRefresh
    let app: App
    let progress: any ProgressStore
    /// Identifies the file when an import is resumed.
    let name: String
    let system: SystemEnvironment

    package init(refresh: HistoryRefresh, app: App, progress: any ProgressStore, name: String, system: SystemEnvironment) {
        (self.refresh, self.app, self.progress) = (refresh, app, progress)
        (self.name, self.system) = (name, system)
    }

    private enum Outcome: Sendable {
        case taken(HistoryReport)
        case rejected(code: String, detail: String)

        /// Why the line, or some of what the App Store has answered, was left out.
        var rejection: (code: String, detail: String)? {
            switch self {
            case .taken(let report): report.rejected.first.map { ($0.code, $0.detail) }
            case .rejected(let code, let detail): (code, detail)
            }
        }
    }

    /// Where an earlier run stopped; the beginning if there was none.
    package func lastState() async throws -> HistoryImport.State {
        try await progress.progress("import-ids:\(name)").flatMap(HistoryImport.State.init(text:)) ?? HistoryImport.State()
    }

    /// Imports the list in a file from a state to its end.
    ///
    /// If the App Store is away, waits until it is back. Throws if it refuses the key, because it would refuse every request.
    ///
    /// - Parameters:
    ///   - reject: is called after each step with the lines that are left out.
    ///   - report: is called after each step with the progress, which is durable then.
    ///   - wait: is called with the reason before each pause.
    package func run(
        _ list: TransactionList,
        at path: String,
        from start: HistoryImport.State,
        reject: ([HistoryImport.Rejected]) throws -> Void,
        report: (HistoryImport.State) -> Void,
        wait: @escaping @Sendable (String) -> Void
    ) async throws -> HistoryImport.State {
        var state = start
        var reader = try LineReader(path: path, offset: start.offset, line: start.line, maxLines: Self.step)
        while let batch = try reader.next() {
            let outcomes = try await outcomes(of: batch, list, wait)
            var rejected: [HistoryImport.Rejected] = []
            for (line, outcome) in outcomes.sorted(by: { $0.0 < $1.0 }) {
                if case .taken(let report) = outcome { state.count(report) }
                if let (code, detail) = outcome.rejection {
                    rejected.append(HistoryImport.Rejected(line: line, code: code, detail: detail))
                }
            }
            try reject(rejected)
            state.rejected += rejected.count
            (state.offset, state.line) = (batch.end, batch.firstLine + batch.lines.count)
            try await progress.setProgress("import-ids:\(name)", to: state.text)
            report(state)
        }
        return state
    }

    private func outcomes(
        of batch: LineReader.Batch,
        _ list: TransactionList,
        _ wait: @escaping @Sendable (String) -> Void
    ) async throws -> [(Int, Outcome)] {
        try await withThrowingTaskGroup(of: (Int, Outcome).self) { group in
            var outcomes: [(Int, Outcome)] = []
            var underWay = 0
            for (index, line) in batch.lines.enumerated() {
                let number = batch.firstLine + index
                guard !list.isSkipped(line, number: number) else { continue }
                if underWay == Self.width, let done = try await group.next() {
                    outcomes.append(done)
                    underWay -= 1
                }
                group.addTask { (number, try await outcome(of: line, list, wait)) }
                underWay += 1
            }
            for try await done in group { outcomes.append(done) }
            return outcomes
        }
    }

    private func outcome(
        of line: ArraySlice<UInt8>,
        _ list: TransactionList,
        _ wait: @Sendable (String) -> Void
    ) async throws -> Outcome {
        let entry: TransactionList.Entry
        do throws(ImportLine.Rejection) { entry = try list.entry(line) } catch {
            return .rejected(code: error.code, detail: error.detail)
        }
        while true {
            do {
                return .taken(
                    try await refresh.refresh(transactionID: entry.transactionID, customerID: entry.customerID, app))
            } catch HistoryError.refusedByAppStore(let code, let detail, _) {
                return .rejected(code: code, detail: "\(entry.transactionID): \(detail)")
            } catch HistoryError.appStoreFailed(let code, let detail, let retryAfter) where Self.passes(code) {
                wait("\(code): \(detail); asking again in \(retryAfter) s")
                try await system.sleep(.seconds(retryAfter))
            } catch HistoryError.appStoreFailed(let code, let detail, _) where code == AppStoreError.Code.malformedAnswer.rawValue
            {
                // It is about this transaction only, so the others can go on.
                return .rejected(code: code, detail: "\(entry.transactionID): \(detail)")
            }
        }
    }

    /// Whether a failure to ask the App Store passes by itself.
    private static func passes(_ code: String) -> Bool {
        switch AppStoreError.Code(rawValue: code) {
        case .unreachable, .timedOut, .unavailable, .rateLimited, .circuitOpen: true
        default: false
        }
    }
}
