import Glibc

/// The file descriptors that connections leave to the rest of the process: stores, files, calls to the App Store.
///
/// Above all to libdispatch, on whose threads tasks run: it opens a file of `/proc/self/task` every second, and ends the process if it cannot.
enum DescriptorReserve {
    private static let size: rlim_t = 32

    /// Whether connections have come so near to what the process may open that none should be added.
    ///
    /// Both may change at any time, so both are asked: about a microsecond, once a connection.
    static var isTouched: Bool {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return false }
        // The system gives the lowest number that is free: those below it are all taken.
        let next = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard next >= 0 else { return true }
        close(next)
        return rlim_t(next) + size > limit.rlim_cur
    }
}
