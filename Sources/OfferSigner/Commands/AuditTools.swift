import ArgumentParser
import EligibilityRules
import OfferService
import OfferSigning
import OfferStore
import WireText

/// The parts that all commands about the audit log use.
struct AuditTools {
    let store: SigningStore
    let keys: AuditKeyFolder
    let log: AuditLog

    /// - Parameter isReadOnly: whether the command writes nothing. In this case the store may also be one in an earlier state.
    init(_ options: ConfigurationOptions, isReadOnly: Bool = false) throws {
        let door = try CommandDoor(options, accepting: isReadOnly ? .earlier : .current)
        store = door.store
        keys = AuditKeyFolder(directory: door.configuration.keys.directory)
        log = door.configuration.auditLog(of: store)
    }

    /// Returns the seals in a file: a note as `audit head` prints it, or lines of the service's log with the numbers and digests.
    static func seals(in text: String) throws -> [KeptSeal] {
        let lines = try text.split(separator: "\n").filter { $0.contains(#""audit log sealed""#) }.map { line in
            guard let seal = sealed(line) else {
                throw CommandRefusal("--head: a line `audit log sealed` cannot be read; complete it, or remove it: \(line)")
            }
            return seal
        }
        guard lines.isEmpty else { return lines }
        guard !text.contains("{"), let note = SignedNote(text) else {
            throw CommandRefusal("--head: there is no seal in the file: neither a note nor a line `audit log sealed` of the log")
        }
        return [.note(note)]
    }

    /// Reads a line of the service's log; nil if the seal's number or digest is missing.
    private static func sealed(_ line: Substring) -> KeptSeal? {
        let value = Array(line.utf8).withUnsafeBufferPointer { try? JSONParser.parse($0) }
        guard case .number(let digits)? = value?.member("seal"), let number = Int64(digits),
            case .string(let text)? = value?.member("sha256"),
            let bytes = Hexadecimal.decode(text), let digest = bytes.withUnsafeBytes({ AuditLink($0) })
        else { return nil }
        return .digest(number: number, digest)
    }

    /// Creates the next key, which a seal of the key before it certifies. Returns the path of the new file.
    func rotate() async throws -> String {
        let known = try keys.keys()
        let key = try Ed25519Key()
        let file = AuditKeyFile(folder: keys.directory, number: (known.last?.number ?? 0) + 1)
        let now = SystemEnvironment.live.now()
        try await log.record(
            .rotateAuditKey, by: .commandLine,
            object: AuditObject(
                file.path.split(separator: "/").last.map(String.init), after: "public key \(Crypto.hexadecimal(key.publicKey))"))
        if let signer = try keys.signer() {
            store.audit.use(signer)
            _ = try await store.audit.seal(at: now, certifying: key.publicKey)
        }
        guard try file.create(key) else { throw CommandRefusal("another process has just made \(file.path)") }
        if known.isEmpty {
            store.audit.use(try keys.signer())
            _ = try await store.audit.seal(at: SystemEnvironment.live.now(), certifying: nil)
        }
        return file.path
    }

    /// Seals with the key folder's key after a seal whose key is lost. Returns the seal of the lost key.
    func replaceLostKey(reason: String) async throws -> String {
        guard let head = try await log.head(), let note = SignedNote(head) else {
            throw CommandRefusal("nothing is sealed yet, so there is no key that could have been lost")
        }
        let trust = try keys.trust()
        guard !trust.isSigned(note, by: trust.keys, name: log.origin, .openSSL) else {
            throw CommandRefusal("the latest seal is by a key that the key folder has; to change it, use rotate-key")
        }
        // Verifies everything but the signatures of seals, because a broken chain must not be sealed.
        let verdict = try await log.verify(publicKeys: [])
        guard verdict.isIntact else { throw CommandRefusal(verdict.faults.joined(separator: "; ")) }
        if trust.keys.isEmpty { _ = try keys.makeFirst() }
        guard let signer = try keys.signer() else {
            throw CommandRefusal("\(keys.directory) has no audit key, and none can be made there")
        }
        try await log.record(
            .replaceAuditKey, by: .commandLine,
            object: AuditObject(
                before: head.split(separator: "\n").dropFirst(3).first.map(String.init),
                after: "public key \(Crypto.hexadecimal(signer.publicKey))"), reason: reason)
        store.audit.use(signer.vouching(for: head))
        guard try await store.audit.seal(at: SystemEnvironment.live.now(), certifying: nil) != nil else {
            throw CommandRefusal("nothing was sealed; another process was quicker")
        }
        return head
    }
}
