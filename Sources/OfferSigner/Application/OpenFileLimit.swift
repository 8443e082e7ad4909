import Glibc

/// The number of files, connections included, that the process may have open at once.
enum OpenFileLimit {
    /// The highest limit that is set: more files than a replica needs.
    private static let enough: rlim_t = 65_536

    /// Raises the limit to what the system allows, up to 65,536.
    ///
    /// A program usually starts with a limit of 1,024, for the sake of programs that use `select`.
    static func raise() {
        let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        var limit = rlimit()
        guard getrlimit(files, &limit) == 0, limit.rlim_cur < enough else { return }
        limit.rlim_cur = min(limit.rlim_max, enough)
        _ = setrlimit(files, &limit)
    }
}
