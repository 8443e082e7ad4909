package import EligibilityRules

/// Every unit of an experiment with its outcome, counted while it is written. All figures can be computed again from it.
package struct AssignmentExport: Sendable {
    let counting: ExperimentCounting
    let executor: BoundedExecutor

    /// The instant of the counts.
    package var asOf: Instant { counting.asOf }

    /// Writes some rows at a time, by first exposure, and waits for `write`. Throws what `write` throws, and a `StoreError`.
    package func write(_ write: @Sendable ([AssignmentRow]) async throws -> Void) async throws {
        let counting = counting
        try await executor.run {
            _ = try await counting.report(each: { slice in
                try await write(slice.map { AssignmentRow($0, $1, in: counting.revisions) })
            })
        }
    }
}
