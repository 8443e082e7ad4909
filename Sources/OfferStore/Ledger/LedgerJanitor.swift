public import EligibilityRules
public import Logging
public import ServiceLifecycle

/// Deletes what has outlived its retention, a slice at a time so that signing never waits long.
///
/// Ages are counted from the latest signature, not from the clock if that is ahead of it: one wrong reading would delete the ledger, and
/// with it the memory of which nonces were used.
public struct LedgerJanitor: Service {
    private static let slice = 500

    private let ledger: any Ledger
    /// Milliseconds.
    private let retention: Int64
    private let interval: Duration
    private let now: @Sendable () -> Instant
    private let logger: Logger

    /// - Parameters:
    ///   - retention: how long ledger rows are kept, in ms; never below 25 hours.
    ///   - interval: time between two rounds.
    public init(
        ledger: any Ledger,
        retention: Int64,
        interval: Duration = .seconds(60),
        now: @escaping @Sendable () -> Instant,
        logger: Logger
    ) {
        self.ledger = ledger
        self.retention = max(retention, 25 * 3600 * 1000)
        self.interval = interval
        self.now = now
        self.logger = logger
    }

    /// Cleans up every interval until the service stops.
    public func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                await cleanOnce()
                try? await Task.sleep(for: interval)
            }
        }
    }

    /// One round: everything that is due, slice after slice.
    public func cleanOnce() async {
        do {
            let now = min(now(), try await ledger.latestInstant() ?? now())
            let oldestRow = now.advanced(by: -retention)
            let oldestAnswer = now.advanced(by: -IdempotencyRecord.lifetime)
            while try await ledger.prune(signedBefore: oldestRow, limit: LedgerJanitor.slice) == LedgerJanitor.slice {
                try await Task.sleep(for: .milliseconds(20))
            }
            while try await ledger.pruneAnswers(madeBefore: oldestAnswer, limit: LedgerJanitor.slice) == LedgerJanitor.slice {
                try await Task.sleep(for: .milliseconds(20))
            }
        } catch  where Task.isCancelled {
            return
        } catch {
            logger.warning("retention could not be applied", metadata: ["reason": "\(error)"])
        }
    }
}
