#if DEBUG
    import Glibc
    import Synchronization

    /// Records the SQL texts that have run in a debug build, for scripts/check-statements, which finds those that no test runs.
    package enum ExecutedStatements {
        private static let known = Mutex<Set<String>>([])
        /// The file that the environment variable names; nil if the variable is not set.
        private static let file = getenv("OFFERSIGNER_EXECUTED_STATEMENTS").map { open($0, O_WRONLY | O_APPEND | O_CREAT, 0o600) }

        /// Whether the environment names a file to record in.
        package static var areRecorded: Bool { file != nil }

        /// Appends a text that is new: the database, a tab, the text and a zero byte.
        package static func note(_ sql: String, on database: String) {
            let line = "\(database)\t\(sql)\0"
            guard let file, known.withLock({ $0.insert(line).inserted }) else { return }
            let bytes = Array(line.utf8)
            // One call, so that texts of several processes do not mix.
            precondition(write(file, bytes, bytes.count) == bytes.count, "the executed statements cannot be recorded")
        }
    }
#endif
