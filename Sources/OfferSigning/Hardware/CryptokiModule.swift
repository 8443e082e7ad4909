import CPKCS11Shim
import Glibc
import Synchronization

/// A PKCS#11 library, which the process loads once. Every call may block, so none may be made on an event loop.
final class CryptokiModule: Sendable {
    private static let loaded = Mutex<[String: CryptokiModule]>([:])

    let path: String
    // This is safe, because the module may be called from many threads, and is never freed.
    nonisolated(unsafe) private let pointer: OpaquePointer
    private let starts = Atomic(0)
    private let tokensInUse = Atomic(0)

    private init(path: String, pointer: OpaquePointer) {
        self.path = path
        self.pointer = pointer
    }

    /// Returns the module at a path. Throws if another user can change the file, because the file's code runs in this process.
    static func at(_ path: String) throws(SigningError) -> CryptokiModule {
        let result = loaded.withLock { loaded -> Result<CryptokiModule, SigningError> in
            if let module = loaded[path] { return .success(module) }
            return Result { () throws(SigningError) in
                let module = try load(path)
                loaded[path] = module
                return module
            }
        }
        return try result.get()
    }

    private static func load(_ path: String) throws(SigningError) -> CryptokiModule {
        try KeyFile.checkFolder(of: path)
        try KeyFile.checkOwner(of: path)
        try KeyFile.checkOnlyOwnerWrites(path)
        var reason = [CChar](repeating: 0, count: 512)
        guard let pointer = p11_open(path, &reason, reason.count) else {
            let text = String(decoding: reason.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
            throw SigningError(.moduleUnusable, "module-path: \(path) cannot be loaded: \(text)")
        }
        return CryptokiModule(path: path, pointer: pointer)
    }

    func start() -> UInt { p11_start(pointer) }

    /// Restarts the module unless one of its tokens is in use. Returns whether it was restarted.
    ///
    /// A restart makes the module forget its sessions and its list of tokens.
    func restart() -> Bool {
        guard tokensInUse.load(ordering: .relaxed) == 0 else { return false }
        starts.add(1, ordering: .relaxed)
        return p11_restart(pointer) == UInt(P11_OK)
    }

    /// The number of restarts so far. After a restart, earlier sessions are invalid, and the module may give their numbers to new
    /// ones.
    var incarnation: Int { starts.load(ordering: .relaxed) }

    /// Counts one token more or one token fewer as in use. The module is not restarted as long as any token is in use.
    func note(inUse: Bool) { tokensInUse.add(inUse ? 1 : -1, ordering: .relaxed) }

    /// Returns the tokens that are present in the module's slots, at most 64 of them.
    func tokens() throws(CryptokiFailure) -> [p11_token] {
        var count = 0
        var tokens = [p11_token](repeating: p11_token(), count: 64)
        try CryptokiFailure.check(p11_tokens(pointer, &tokens, tokens.count, &count), "C_GetSlotList")
        return Array(tokens.prefix(count))
    }

    func flags(of slot: UInt) throws(CryptokiFailure) -> UInt {
        var flags: UInt = 0
        try CryptokiFailure.check(p11_flags(pointer, slot, &flags), "C_GetTokenInfo")
        return flags
    }

    func openSession(in slot: UInt) throws(CryptokiFailure) -> UInt {
        var session: UInt = 0
        try CryptokiFailure.check(p11_open_session(pointer, slot, &session), "C_OpenSession")
        return session
    }

    func closeSession(_ session: UInt) { _ = p11_close_session(pointer, session) }

    func checkSession(_ session: UInt) throws(CryptokiFailure) {
        try CryptokiFailure.check(p11_check_session(pointer, session), "C_GetSessionInfo")
    }

    /// Logs in to the token, and returns the return value of C_Login.
    func logIn(_ session: UInt, pin: UnsafeRawBufferPointer) -> UInt {
        p11_log_in(pointer, session, pin.bindMemory(to: UInt8.self).baseAddress, pin.count)
    }

    /// Finds objects by their kind, their id (CKA_ID) and their label (CKA_LABEL).
    ///
    /// Returns at most two objects. Two are enough to show that the description fits more than one object.
    func find(_ kind: Int, id: [UInt8]?, label: String?, in session: UInt) throws(CryptokiFailure) -> [UInt] {
        let label = label.map { Array($0.utf8) }
        var handles: [UInt] = [0, 0]
        var count = 0
        try CryptokiFailure.check(
            p11_find(pointer, session, UInt(kind), id, id?.count ?? 0, label, label?.count ?? 0, &handles, &count),
            "C_FindObjects")
        return Array(handles.prefix(count))
    }

    func bytes(_ attribute: Int, of object: UInt, in session: UInt) throws(CryptokiFailure) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 1024)
        var length = 0
        try CryptokiFailure.check(
            p11_read(pointer, session, object, UInt(attribute), &bytes, bytes.count, &length), "C_GetAttributeValue")
        return Array(bytes.prefix(length))
    }

    func number(_ attribute: Int, of object: UInt, in session: UInt) throws(CryptokiFailure) -> UInt {
        var number: UInt = 0
        try CryptokiFailure.check(
            p11_read_number(pointer, session, object, UInt(attribute), &number), "C_GetAttributeValue")
        return number
    }

    /// Signs a digest, which must have 32 bytes. Returns the signature as r‖s.
    func sign(_ digest: [UInt8], with key: UInt, in session: UInt) throws(CryptokiFailure) -> [UInt8] {
        precondition(digest.count == Int(P11_SIGN_DIGEST_SIZE))
        var raw = [UInt8](repeating: 0, count: Int(P11_SIGN_RAW_SIZE))
        try CryptokiFailure.check(p11_sign(pointer, session, key, digest, &raw), "C_Sign")
        return raw
    }
}

/// A failed call into a module.
struct CryptokiFailure: Error {
    let code: UInt
    let call: String

    static func check(_ code: UInt, _ call: String) throws(CryptokiFailure) {
        guard code != UInt(P11_OK) else { return }
        throw CryptokiFailure(code: code, call: call)
    }

    /// The error reported to callers that wait for a signature.
    var asSigningError: SigningError { SigningError(.moduleUnavailable, "\(call) failed: \(Cryptoki.name(code))") }
}
