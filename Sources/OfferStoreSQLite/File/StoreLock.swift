import Glibc
import OfferStore

/// A lock that ends with the process, however it ends: a byte of a file beside the store that only the store's user may open.
///
/// Not in a file of SQLite's: closing that would end the locks that this process has on it.
struct StoreLock: Sendable {
    /// The byte that is locked.
    enum Purpose: off_t, Sendable {
        /// Neither SQLite's change to WAL nor GRDB's migrations wait for another's.
        case opening
        /// Two services on one store would each count limits and ages for itself.
        case serving
    }

    private static let pause: useconds_t = 10_000
    // Linux' own; the header hides it from Swift.
    private static let setLockOfDescription: Int32 = 37

    private let descriptor: Int32
    private let purpose: Purpose

    /// - Parameter path: the store's.
    init(_ purpose: Purpose, of path: String) throws(StoreError) {
        self.purpose = purpose
        let name = StoreLock.file(of: path)
        descriptor = open(name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else {
            let reason = String(cString: strerror(errno))
            throw StoreError(.unavailable, "\(name): \(reason); file and folder must belong to the user with the id \(geteuid())")
        }
        // Whoever may read it could hold it.
        fchmod(descriptor, 0o600)
    }

    /// Takes the lock, or waits for it. False if somebody else has had it all the time.
    ///
    /// - Parameters:
    ///   - patience: how long to wait.
    ///   - onWait: is called once, before the first pause.
    func take(patience: Duration, onWait: () -> Void = {}) -> Bool {
        let end = ContinuousClock.now + patience
        var isWaiting = false
        while !tryToTake() {
            guard ContinuousClock.now < end else { return false }
            if !isWaiting { onWait() }
            isWaiting = true
            usleep(StoreLock.pause)
        }
        return true
    }

    /// Lets the next one in.
    func release() { close(descriptor) }

    /// Writes who holds the lock, for those who ask.
    func sign() {
        let text = "\(getpid())\n"
        _ = text.utf8.withContiguousStorageIfAvailable { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
        ftruncate(descriptor, off_t(text.utf8.count))
    }

    /// Process id of the one who signed last; nil if nobody did.
    var holder: Int? {
        withUnsafeTemporaryAllocation(byteCount: 16, alignment: 1) { buffer in
            let count = pread(descriptor, buffer.baseAddress, buffer.count, 0)
            guard count > 0 else { return nil }
            return Int(String(decoding: buffer[..<count], as: UTF8.self).prefix { $0 != "\n" })
        }
    }

    /// The file beside a store.
    static func file(of path: String) -> String { "\(path)-lock" }

    // Where the system cannot lock, nobody waits.
    private func tryToTake() -> Bool {
        var range = flock()
        range.l_type = Int16(F_WRLCK)
        range.l_whence = Int16(SEEK_SET)
        range.l_start = purpose.rawValue
        range.l_len = 1
        return fcntl(descriptor, StoreLock.setLockOfDescription, &range) == 0 || ![EAGAIN, EACCES, EINTR].contains(errno)
    }
}
