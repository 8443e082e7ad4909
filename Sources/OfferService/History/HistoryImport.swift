import EligibilityRules
package import OfferStore

/// Imports a file of receipts, notifications and signed data. An import can be interrupted and resumed.
///
/// A batch whose progress was not saved is simply imported again, because merging a line twice changes nothing.
package struct HistoryImport: Sendable {
    /// How far an import has come.
    package struct State: Equatable, Sendable {
        package var offset = 0
        package var line = 1
        package var changed = 0
        package var unchanged = 0
        package var transactions = 0
        package var rejected = 0

        package init(
            offset: Int = 0,
            line: Int = 1,
            changed: Int = 0,
            unchanged: Int = 0,
            transactions: Int = 0,
            rejected: Int = 0
        ) {
            self.offset = offset
            self.line = line
            self.changed = changed
            self.unchanged = unchanged
            self.transactions = transactions
            self.rejected = rejected
        }
    }

    /// A line that the import left out.
    package struct Rejected: Equatable, Sendable {
        package let line: Int
        package let code: String
        package let detail: String
    }

    private struct Decoded: Sendable {
        var changes: [(line: Int, change: HistoryChange)] = []
        var rejected: [Rejected] = []
    }

    // Progress is saved at least this often, so that little work is repeated after a crash.
    private static let maxUnnoted = Duration.seconds(15)

    let decoder: ImportLine
    package let store: any HistoryBulkStore
    package let progress: any ProgressStore
    /// Identifies the file when an import is resumed.
    package let name: String
    let workers: Int

    package init(decoder: ImportLine, store: any HistoryBulkStore, progress: any ProgressStore, name: String, workers: Int) {
        self.decoder = decoder
        self.store = store
        self.progress = progress
        self.name = name
        self.workers = workers
    }

    /// Where an earlier run stopped; the beginning if there was none.
    package func lastState() async throws -> State {
        try await progress.progress("import:\(name)").flatMap(State.init(text:)) ?? State()
    }

    /// Imports from a state to the end of the file.
    ///
    /// - Parameters:
    ///   - reject: is called after each batch with the lines that are left out.
    ///   - report: is called from time to time with the progress. Everything up to there is durable then.
    package func run(
        path: String,
        from start: State,
        reject: ([Rejected]) throws -> Void,
        report: (State) -> Void
    ) async throws -> State {
        var state = start
        var flushed = ContinuousClock.now
        var reader = try LineReader(path: path, offset: start.offset, line: start.line)
        var next = try reader.next()
        var decoded = await decode(next)
        while let batch = next {
            let current = decoded
            let upcoming = try reader.next()
            // The writer stores this batch while the next one is decoded.
            async let following = decode(upcoming)
            let applied = try await store.apply(current.changes.map(\.change))
            decoded = await following
            next = upcoming
            let rejected = (current.rejected + state.count(applied.outcomes, current.changes)).sorted { $0.line < $1.line }
            try reject(rejected)
            state.rejected += rejected.count
            state.offset = batch.end
            state.line = batch.firstLine + batch.lines.count
            let isDue = applied.isFlushDue || .now - flushed > Self.maxUnnoted
            guard next == nil || isDue else { continue }
            try await store.flush()
            flushed = .now
            report(state)
            try await progress.setProgress("import:\(name)", to: state.text)
        }
        return state
    }

    private func decode(_ batch: LineReader.Batch?) async -> Decoded {
        guard let batch else { return Decoded() }
        let size = max(1, (batch.lines.count + workers - 1) / workers)
        return await withTaskGroup(of: (Int, Decoded).self) { group in
            for (part, start) in stride(from: 0, to: batch.lines.count, by: size).enumerated() {
                let lines = batch.lines[start..<min(start + size, batch.lines.count)]
                group.addTask { (part, decode(lines, firstLine: batch.firstLine + start)) }
            }
            var parts: [(Int, Decoded)] = []
            for await part in group { parts.append(part) }
            return parts.sorted { $0.0 < $1.0 }.reduce(into: Decoded()) { result, part in
                result.changes += part.1.changes
                result.rejected += part.1.rejected
            }
        }
    }

    private func decode(_ lines: ArraySlice<ArraySlice<UInt8>>, firstLine: Int) -> Decoded {
        var decoded = Decoded()
        for (index, line) in lines.enumerated() where !line.isEmpty && line != [UInt8(ascii: "\r")] {
            do {
                decoded.changes.append((firstLine + index, try decoder.change(line)))
            } catch {
                decoded.rejected.append(Rejected(line: firstLine + index, code: error.code, detail: error.detail))
            }
        }
        return decoded
    }
}

extension HistoryImport.State {
    /// Reads a text of six numbers: `offset line changed unchanged transactions rejected`.
    package init?(text: String) {
        let numbers = text.split(separator: " ").compactMap { Int($0) }
        guard numbers.count == 6 else { return nil }
        self.init(
            offset: numbers[0], line: numbers[1], changed: numbers[2], unchanged: numbers[3],
            transactions: numbers[4], rejected: numbers[5])
    }

    package var text: String { "\(offset) \(line) \(changed) \(unchanged) \(transactions) \(rejected)" }

    /// Counts what the App Store has answered about a line.
    mutating func count(_ report: HistoryReport) {
        transactions += report.accepted + report.unchanged
        if report.accepted > 0 { changed += 1 } else { unchanged += 1 }
    }

    /// Counts the outcomes of a batch. Returns the lines that the store has refused.
    fileprivate mutating func count(
        _ outcomes: [HistoryOutcome],
        _ changes: [(line: Int, change: HistoryChange)]
    ) -> [HistoryImport.Rejected] {
        var rejected: [HistoryImport.Rejected] = []
        for (outcome, (line, change)) in zip(outcomes, changes) {
            transactions += change.chains.reduce(0) { $0 + $1.transactions.count }
            guard case .merged(let chains) = outcome else {
                unchanged += 1
                continue
            }
            if chains.contains(.boundToAnotherCustomer) {
                rejected.append(
                    HistoryImport.Rejected(
                        line: line, code: "bound-to-another-customer",
                        detail: "a subscription of this line belongs to another customer of the app"))
            }
            if chains.contains(where: \.isChange) { changed += 1 } else { unchanged += 1 }
        }
        return rejected
    }
}
