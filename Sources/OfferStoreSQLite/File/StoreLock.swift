import Glibc
import OfferStore

/// A lock that ends with the process.
///
/// It is a byte of a file beside the store, which only the store's user may open.
///
/// It is not in SQLite's file, because closing that file would release this process's locks on it. The lock's file also contains
/// the id of the process that serves the store, followed by the note of the store's position.
struct StoreLock: Sendable {
    /// The byte to lock.
    enum Purpose: off_t, Sendable {
        /// For opening the store: SQLite's change to WAL and GRDB's migrations do not wait for those of other processes.
        case opening
        /// For serving the store: two services on one store would each count limits and ages separately.
        case serving
    }

    private static let pause: useconds_t = 10_000
    /// Bytes of the process's id, and of the line end behind it.
    private static let signatureLength = 16
    private static let maxNote = 4096
    // `F_OFD_SETLK`, which only Linux has, and which its header hides from Swift.
    private static let setLockOfDescription: Int32 = 37

    private let descriptor: Int32
    private let purpose: Purpose

    /// - Parameter path: the store's path.
    init(_ purpose: Purpose, of path: String) throws(StoreError) {
        self.purpose = purpose
        let name = StoreLock.file(of: path)
        descriptor = open(name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else {
            let (reason, isAnother) = (String(cString: strerror(errno)), [EISDIR, ELOOP].contains(errno))
            let remedy = isAnother ? "remove it" : "file and folder must belong to the user with the id \(geteuid())"
            throw StoreError(.unavailable, "\(name): \(reason); \(remedy)")
        }
        // Only the store's user may read the file, because any process that can open it could hold the lock.
        fchmod(descriptor, 0o600)
    }

    /// Takes the lock, or waits for it. Returns false if another process held it all the time.
    ///
    /// - Parameters:
    ///   - patience: the maximum wait.
    ///   - onWait: called once, before the first pause.
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

    func release() { close(descriptor) }

    /// Writes this process's id into the file.
    func sign() { sign("\(getpid())") }

    private func sign(_ text: String) {
        Self.write(text + String(repeating: " ", count: Self.signatureLength - 1 - text.utf8.count) + "\n", at: 0, descriptor)
    }

    /// Id of the process that last signed; nil for none.
    var holder: Int? { Int(Self.read(at: 0, Self.signatureLength, descriptor).prefix { $0.isNumber }) }

    /// Keeps a note beside the store, without waiting for the disk.
    ///
    /// An empty note removes the present one.
    static func note(_ text: String, of path: String) throws(StoreError) {
        // Any purpose will do: nothing is locked.
        let lock = try StoreLock(.opening, of: path)
        defer { lock.release() }
        if lock.holder == nil { lock.sign("") }
        write(text, at: off_t(signatureLength), lock.descriptor)
        ftruncate(lock.descriptor, off_t(signatureLength + text.utf8.count))
    }

    /// The note that is kept beside the store; empty if there is none.
    ///
    /// If the file is damaged, returns its content, which is neither empty nor a valid note.
    static func note(of path: String) throws(StoreError) -> String {
        let lock = try StoreLock(.opening, of: path)
        defer { lock.release() }
        let (signature, note) = (
            read(at: 0, signatureLength, lock.descriptor), read(at: off_t(signatureLength), maxNote, lock.descriptor)
        )
        return note.isEmpty && !signature.hasSuffix("\n") ? signature : note
    }

    private static func write(_ text: String, at place: off_t, _ descriptor: Int32) {
        var text = text
        _ = text.withUTF8 { pwrite(descriptor, $0.baseAddress, $0.count, place) }
    }

    private static func read(at place: off_t, _ length: Int, _ descriptor: Int32) -> String {
        withUnsafeTemporaryAllocation(byteCount: length, alignment: 1) { buffer in
            let count = pread(descriptor, buffer.baseAddress, buffer.count, place)
            return String(decoding: buffer[..<max(0, count)], as: UTF8.self)
        }
    }

    /// The path of the lock file of a store.
    static func file(of path: String) -> String { "\(path)-lock" }

    // Returns true at once where the system cannot lock.
    private func tryToTake() -> Bool {
        var range = flock()
        range.l_type = Int16(F_WRLCK)
        range.l_whence = Int16(SEEK_SET)
        range.l_start = purpose.rawValue
        range.l_len = 1
        return fcntl(descriptor, StoreLock.setLockOfDescription, &range) == 0 || ![EAGAIN, EACCES, EINTR].contains(errno)
    }
}
