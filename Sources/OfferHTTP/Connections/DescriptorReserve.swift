import Glibc

/// The file descriptors that connections leave to the rest of the process: stores, files, calls to the App Store.
///
/// libdispatch, whose threads run tasks, opens a file of `/proc/self/task` every second. It ends the process if it cannot.
enum DescriptorReserve {
    private static let size: rlim_t = 32

    /// Whether so few descriptors are left that no connection should be added.
    ///
    /// The limit and the number of open files may change at any time, so each connection checks both: about a microsecond.
    static var isTouched: Bool {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return false }
        // The system returns the lowest free number: all numbers below it are taken.
        let next = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard next >= 0 else { return true }
        close(next)
        return rlim_t(next) + size > limit.rlim_cur
    }
}
