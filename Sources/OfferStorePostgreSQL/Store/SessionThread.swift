import Dispatch
import Glibc
import OfferStore

/// A thread with a session that is opened when it is first needed, and anew after it was lost.
///
/// Unchecked: what changes is reached on the queue only.
final class SessionThread: @unchecked Sendable {
    // Of a transaction that other processes keep from being made durable.
    private static let maxAttempts = 50

    private let address: String
    private let patience: Duration
    /// Has the server give a statement up before this waits no longer; nil: a commit must not be given up.
    private let limit: Statement?
    private let queue: DispatchQueue
    private var session: Session?
    /// The server's process of a session that was lost in its commit. It may go on waiting for a standby or the disk, with its locks.
    private var leftBehind: Int32?
    private var isClosed = false

    /// - Parameters:
    ///   - patience: how long the server may be silent.
    ///   - isReader: whether the session only reads.
    init(_ address: String, label: String, patience: Duration = .seconds(10), isReader: Bool = false) {
        (self.address, self.patience) = (address, patience)
        limit = isReader ? Statement("SET statement_timeout = \(Int(patience / .milliseconds(1)) * 9 / 10)") : nil
        queue = DispatchQueue(label: label)
    }

    /// Calls `body` on the thread.
    func async(_ body: @escaping @Sendable (SessionThread) -> Void) { queue.async { body(self) } }

    /// Calls `body` on the thread, and waits for it.
    func sync<Value>(_ body: (SessionThread) throws(StoreError) -> Value) throws(StoreError) -> Value {
        try queue.sync { Result { () throws(StoreError) in try body(self) } }.get()
    }

    /// Calls `body` on the thread. Returns what it gives.
    func run<Value: Sendable>(
        _ body: @escaping @Sendable (SessionThread) throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        let result = await withCheckedContinuation { continuation in
            async { thread in continuation.resume(returning: Result { () throws(StoreError) in try body(thread) }) }
        }
        return try result.get()
    }

    /// Waits for what runs, and ends the session.
    func close() { queue.sync { (session, isClosed) = (nil, true) } }

    /// Runs a transaction; on the thread. It is begun anew where another one was in its way.
    ///
    /// - Parameters:
    ///   - purpose: what it is for, to be named in errors.
    ///   - maxAttempts: how often it is begun.
    func transaction<Value>(
        _ purpose: String,
        _ isolation: Isolation,
        maxAttempts: Int = SessionThread.maxAttempts,
        _ body: (Transaction) throws -> Value
    ) throws(StoreError) -> Value {
        var attempt = 1
        while true {
            // One that was idle may have been cut off meanwhile.
            let wasOpen = session != nil
            var transaction: Transaction?
            do {
                let session = try open()
                try checkLeftBehind(session)
                transaction = Transaction(session, isolation)
                let value = try body(transaction!)
                try transaction!.commit()
                return value
            } catch {
                let failure = error as? PostgreSQLFailure
                let (isLost, mayBeDurable) = (failure?.isOfConnection ?? false, transaction?.mayBeDurable ?? false)
                if isLost, mayBeDurable { leftBehind = session?.processID }
                rollBack(failure)
                if isLost { transaction?.didLoseSession() }
                let isCutOff = wasOpen && isLost && !mayBeDurable
                guard isCutOff || failure?.isOfConcurrency ?? false, attempt < maxAttempts else {
                    throw StoreError(wrapping: error, doing: purpose)
                }
                attempt += 1
                // Random, so that rivals do not collide again: up to 0.1 s.
                usleep(.random(in: 0...1000 * min(UInt32(attempt * attempt), 100)))
            }
        }
    }

    // Else each transaction would leave another process behind, until the server takes no more sessions.
    private func checkLeftBehind(_ session: Session) throws {
        guard let process = leftBehind else { return }
        let sql = "SELECT count(*) FROM pg_stat_activity WHERE pid = $1 AND state = 'active'"
        let isWaiting = try session.run([Statement(sql, [.number(Int64(process))])])[0].first { $0.number(0) > 0 }!
        guard !isWaiting else {
            throw StoreError(
                .unavailable,
                "an earlier commit still waits, for a standby or the disk; bring the standby back, or take it out of "
                    + "PostgreSQL's synchronous_standby_names")
        }
        leftBehind = nil
    }

    // A session that is of no more use is let go; the next transaction opens another one.
    private func rollBack(_ failure: PostgreSQLFailure?) {
        let isUseful = !(failure?.isOfConnection ?? false)
        guard isUseful, let session, (try? session.run([Statement("ROLLBACK")])) != nil else {
            session = nil
            return
        }
    }

    private func open() throws(PostgreSQLFailure) -> Session {
        if let session { return session }
        guard !isClosed else { throw PostgreSQLFailure(sqlState: nil, message: "the store is closed") }
        let new = try Session(address, patience: patience)
        if let limit {
            _ = try new.run([limit])
            new.limitsStatements = true
        }
        session = new
        return new
    }
}
