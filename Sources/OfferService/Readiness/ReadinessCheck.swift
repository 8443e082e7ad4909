import EligibilityRules
import OfferSigning
package import OfferStore

/// A condition that must hold for the service to sign.
package struct ReadinessCheck: Sendable {
    package let name: String
    /// Returns a detail for the answer. Throws the reason if the service is not ready.
    package let run: @Sendable () async throws -> String

    /// The checks that `/readyz` makes: keys, store, clock and migrations.
    package static func all(
        apps: AppDirectory,
        keys: CurrentKeyRing,
        access: AccessDirectory,
        clock: SigningClock,
        ledger: any Ledger,
        signatures: any StoredFile,
        histories: any StoredFile,
        audit: AuditSealer
    ) -> [ReadinessCheck] {
        // This writes to the store, but at most once a second, because clients that are not authenticated may ask.
        let probe = Recent(for: .seconds(1)) { () async throws(StoreError) in
            try await ledger.probe()
            try await signatures.look()
        }
        return [
            ReadinessCheck(name: "keys") {
                let ring = keys.current
                let without = apps.bundleIDs.filter { ring.active(for: $0) == nil }
                let lack = "no active key for \(without.joined(separator: ", "))"
                // It is worse to sign with a key that no decision has activated than to sign nothing.
                if let lock = keys.locks.first { throw IssueError.notReady(lock.reason, of: .keys) }
                // If only some apps lack a key, the service goes on serving the other apps.
                guard without.count < apps.bundleIDs.count else { throw IssueError.notReady(lack, of: .keys) }
                for key in ring.activeKeys {
                    if let outage = key.outage {
                        throw IssueError.notReady("the key \(key.id) does not sign (\(outage.detail))", of: .keys)
                    }
                    try key.selfTest()
                }
                let summary = without.isEmpty ? "every app has an active key, which signs and verifies" : lack
                let faults = keys.faults.map { "; not used: \($0.reason)" }.joined()
                return "\(ring.entries.count) loaded, \(summary)\(faults)"
            },
            ReadinessCheck(name: "store") {
                try await probe.value()
                // If histories cannot be written, the service can still sign. If they are lost, it cannot.
                try histories.checkIntact()
                let standing = try audit.standing()
                if let fault = access.faults.first {
                    throw StoreError(
                        .damaged,
                        "\(fault), and is refused; keep a copy of the store, run offersigner audit verify, and restore a backup")
                }
                return "writable; audit log \(standing)"
            },
            ReadinessCheck(name: "clock") {
                _ = try clock.now()
                return "agrees with the latest signature and with the time since boot"
            },
            // Nothing needs to be checked here: the store opens only if its schema is up to date.
            ReadinessCheck(name: "migrations") { "up to date" },
        ]
    }
}
