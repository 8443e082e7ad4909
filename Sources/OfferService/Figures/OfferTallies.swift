import EligibilityRules
package import OfferStore

/// Counts what was signed and refused in the last day.
///
/// It counts the rows of the store, so the figures include all processes and the time before a restart.
package final class OfferTallies: Sendable {
    private static let minutesADay: Int64 = 1440

    private let recent: Recent<OfferFigures, StoreError>

    package init(store: any AuditStore, system: SystemEnvironment) {
        recent = Recent(for: .seconds(2)) { () async throws(StoreError) in try await Self.count(store, system) }
    }

    /// The figures, two seconds old at most.
    package func figures() async throws(StoreError) -> OfferFigures { try await recent.value() }

    private static func count(
        _ store: any AuditStore,
        _ system: SystemEnvironment
    ) async throws(StoreError) -> OfferFigures {
        let now = system.now()
        let first = now.milliseconds / 60_000 - minutesADay + 1
        let signed = try await store.tally(.signatures, since: first)
        let refused = try await store.tally(.refusals, since: first)
        let from = max(signed.since, refused.since)
        return OfferFigures(
            at: now, firstMinute: from, isWhole: from == first, signed: signed.parts.filter { $0.minute >= from },
            refused: refused.parts.filter { $0.minute >= from })
    }
}
