import Dispatch
import Glibc
import OfferStore
import OfferStoreSQL

/// A thread with a session, opened on first use and reopened after a loss.
///
/// Unchecked: what changes is confined to the queue.
final class SessionThread: @unchecked Sendable {
    // For a transaction that conflicts with other processes.
    private static let maxAttempts = 50

    private let address: String
    private let patience: Duration
    private let isReader: Bool
    private let apps: AppNumbers
    private let queue: DispatchQueue
    private let whenOpened: @Sendable (Session) throws -> Void
    private var session: Session?
    /// The server process of a session lost during its commit. It may still wait for a standby or the disk, and hold its locks.
    private var leftBehind: Int32?
    private var isClosed = false

    /// - Parameters:
    ///   - patience: how long the server may stay silent.
    ///   - isReader: whether the session only reads.
    ///   - apps: the numbers of apps that the store knows.
    ///   - whenOpened: called on each new session before its use. Throws if it must not be used.
    init(
        _ address: String,
        label: String,
        patience: Duration = .seconds(10),
        isReader: Bool = false,
        apps: AppNumbers = AppNumbers(),
        whenOpened: @escaping @Sendable (Session) throws -> Void = { _ in }
    ) {
        self.whenOpened = whenOpened
        (self.address, self.patience, self.isReader, self.apps) = (address, patience, isReader, apps)
        queue = DispatchQueue(label: label)
    }

    /// Calls `body` on the thread.
    func async(_ body: @escaping @Sendable (SessionThread) -> Void) { queue.async { body(self) } }

    /// Calls `body` on the thread, and waits for it.
    func sync<Value>(_ body: (SessionThread) throws(StoreError) -> Value) throws(StoreError) -> Value {
        try queue.sync { Result { () throws(StoreError) in try body(self) } }.get()
    }

    /// Calls `body` on the thread, and returns its result.
    func run<Value: Sendable>(
        _ body: @escaping @Sendable (SessionThread) throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        let result = await withCheckedContinuation { continuation in
            async { thread in continuation.resume(returning: Result { () throws(StoreError) in try body(thread) }) }
        }
        return try result.get()
    }

    /// Opens the session if it is not open, and calls `body` with it. Called on the thread.
    func withSession(_ purpose: String, _ body: (Session) throws -> Void) throws(StoreError) {
        do { try body(open()) } catch { throw StoreError(wrapping: error, doing: purpose) }
    }

    /// Waits for running work, and ends the session.
    func close() { queue.sync { (session, isClosed) = (nil, true) } }

    /// Runs a transaction. Called on the thread. Retries after a conflict with another transaction.
    ///
    /// - Parameters:
    ///   - purpose: the purpose of the transaction, for error messages.
    ///   - maxAttempts: maximum number of attempts.
    func transaction<Value>(
        _ purpose: String,
        _ isolation: SQLIsolation,
        maxAttempts: Int = SessionThread.maxAttempts,
        _ body: (Transaction) throws -> Value
    ) throws(StoreError) -> Value {
        var attempt = 1
        while true {
            // An idle session may have been cut off meanwhile.
            let wasOpen = session != nil
            var transaction: Transaction?
            do {
                let session = try open()
                try checkLeftBehind(session)
                transaction = Transaction(session, isolation, apps)
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
                // A random pause, up to 0.1 s, so that rivals do not collide again.
                usleep(.random(in: 0...1000 * min(UInt32(attempt * attempt), 100)))
            }
        }
    }

    /// Runs a body. If it waits for a lock for too long, its error says which sessions hold locks on the store.
    func namingHolders<Value>(_ body: () throws(StoreError) -> Value) throws(StoreError) -> Value {
        do throws(StoreError) { return try body() } catch  where error.code == .locked {
            let holders = try transaction("look who holds locks", .latest) { transaction in
                try transaction.run([.holders]).first!.map { row in
                    "the session \(row.number(0)) (\(row.text(1)), in a transaction for \(row.number(2)) s)"
                }
            }
            let rest = holders.isEmpty ? "they are gone meanwhile; try again" : holders.joined(separator: ", ")
            throw StoreError(.locked, "\(error.detail); another session holds a lock on the store: \(rest)")
        }
    }

    // Without this check each transaction would leave another process behind, until the server accepts no more sessions.
    private func checkLeftBehind(_ session: Session) throws {
        guard let process = leftBehind else { return }
        let sql = "SELECT count(*) FROM pg_stat_activity WHERE pid = $1 AND state = 'active'"
        let isWaiting = try session.run([SQLStatement(sql, [.number(Int64(process))])])[0].first { $0.number(0) > 0 }!
        guard !isWaiting else {
            throw StoreError(
                .unavailable,
                "an earlier commit still waits, for a standby or the disk; bring the standby back, or take it out of "
                    + "PostgreSQL's synchronous_standby_names")
        }
        leftBehind = nil
    }

    // Drops an unusable session. The next transaction opens another one.
    private func rollBack(_ failure: PostgreSQLFailure?) {
        let isUseful = !(failure?.isOfConnection ?? false)
        guard isUseful, let session, (try? session.run([SQLStatement("ROLLBACK")])) != nil else {
            session = nil
            return
        }
    }

    private func open() throws -> Session {
        if let session { return session }
        guard !isClosed else { throw PostgreSQLFailure(sqlState: nil, message: "the store is closed") }
        let new = try Session(address, patience: patience, isReader: isReader)
        try whenOpened(new)
        session = new
        return new
    }
}
