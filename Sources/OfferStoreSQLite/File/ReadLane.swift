import GRDB

/// Connections that only read, for one kind of work. Each has a thread of its own, so that no other work can hold it up.
///
/// Work begins in the order of calls.
final class ReadLane: Sendable {
    private let jobs: ReadJobs

    /// - Parameters:
    ///   - count: the number of connections, each opened when it is first needed.
    ///   - niceness: the nice value of the threads (0...19).
    init(path: String, _ configuration: Configuration, count: Int, niceness: Int32 = 0) {
        var configuration = configuration
        configuration.readonly = true
        jobs = ReadJobs(path: path, configuration, count: count, niceness: niceness)
    }

    deinit { jobs.close() }

    func run<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async -> Result<Value, any Error> {
        await withCheckedContinuation { continuation in
            jobs.append { connection in continuation.resume(returning: Result { try connection.get().read(body) }) }
        }
    }

    /// Waits for the work that was given before, and closes the connections.
    func close() {
        jobs.close()
        jobs.waitForEnd()
    }
}
