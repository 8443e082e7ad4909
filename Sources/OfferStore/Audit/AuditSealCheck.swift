/// Checks the seals of a log, in order, and keeps what they say of chains.
package struct AuditSealCheck: Sendable {
    /// The sealed positions of a chain.
    package struct Sealed: Sendable {
        package let table: AuditTable
        /// Positions in the order of the seals.
        package fileprivate(set) var positions: [(position: AuditPosition, seal: Int64)] = []
        /// The last row removed by retention, from the latest seal that says so.
        package fileprivate(set) var removed: AuditPosition?

        fileprivate mutating func add(_ position: AuditPosition, _ seal: Int64, _ keepsLatestOnly: Bool) {
            if keepsLatestOnly { positions.removeAll() }
            positions.append((position, seal))
        }
    }

    private let origin: String
    private let trust: AuditTrust
    private let functions: AuditFunctions
    private let keepsLatestOnly: Bool
    private var trusted: [[UInt8]]
    /// The previous seal, and whether its signature was checked.
    private var last: (seal: AuditSeal, note: SignedNote, digest: AuditLink, isChecked: Bool)?

    /// Seals kept elsewhere that have not been found yet, by number.
    private var heads: [Int64: [KeptSeal]] = [:]

    package private(set) var count: Int64 = 0
    /// Number of seals that were signed with keys that this check does not know.
    ///
    /// They are no fault, because a later seal with a known key covers them, too.
    package private(set) var strange: Int64 = 0
    package private(set) var faults: [AuditFault] = []
    /// Sealed positions by the chains' ids.
    package private(set) var chains: [[UInt8]: Sealed] = [:]
    package private(set) var marks: [AuditTable: AuditTableMark] = [:]
    package var latest: AuditSeal? { last?.seal }

    /// - Parameters:
    ///   - heads: seals that were kept outside the store, which the log must contain.
    ///   - keepsLatestOnly: whether to keep only the latest sealed position of each chain. It proves all rows before it, but
    ///     locates a fault less exactly.
    package init(
        origin: String,
        trust: AuditTrust,
        heads: [KeptSeal],
        keepsLatestOnly: Bool = false,
        _ functions: AuditFunctions
    ) {
        self.origin = origin
        self.trust = trust
        self.functions = functions
        self.keepsLatestOnly = keepsLatestOnly
        trusted = trust.keys
        for head in heads {
            if let number = head.number(origin: origin, functions) {
                self.heads[number, default: []].append(head)
            } else {
                fail(.log, "what was kept elsewhere is not a seal of this log, \(origin)")
            }
        }
    }

    /// Checks the next seal, in the order of numbers. After a fault, further seals are only counted.
    package mutating func take(number: Int64, note text: String) {
        count += 1
        guard faults.isEmpty else { return }
        let expected = (last?.seal.number ?? 0) + 1
        guard number == expected else { return fail(.seal(expected), "is missing") }
        guard let note = SignedNote(text), let seal = AuditSeal(text: note.text, origin: origin, functions),
            seal.number == number
        else { return fail(.seal(number), "was changed: it cannot be read, or its root is not that of its lines") }
        if let last {
            guard seal.previous == last.digest else {
                return fail(
                    .seal(last.seal.number), "was changed, or another was put in its place: seal \(number) does not fit it")
            }
            guard seal.rows >= last.seal.rows else { return fail(.seal(number), "has fewer rows than the one before it") }
            // Only the last seal of each process needs a check of its signature, because it contains the hash of the seal before
            // it. Seals that an attacker forges while no process runs appear as a change of the writer.
            if last.seal.writer != seal.writer, isKnown(last.note) { checkSignatureOfLast() }
        } else if number == 1, seal.previous != nil {
            return fail(.seal(number), "is the first and says that there was one before it")
        }
        guard faults.isEmpty else { return }
        let digest = functions.link(of: Array(text.utf8))
        last = (seal, note, digest, false)
        if !isKnown(note) {
            strange += 1
        } else if !seal.newKeys.isEmpty {
            checkSignatureOfLast()
            guard faults.isEmpty else { return }
            trusted += seal.newKeys.filter { !trusted.contains($0) }
        }
        // A store that was set back to an earlier copy makes seals with numbers that it has used before. The other seal with the
        // same number may have been kept elsewhere.
        if let kept = heads.removeValue(forKey: number), !kept.allSatisfy({ $0.isSame(as: note, digest) }) {
            fail(.seal(number), "is not the one that was kept elsewhere")
        }
        keep(seal)
    }

    /// Checks the signature of the last seal, which covers all seals before it.
    package mutating func finish() {
        guard faults.isEmpty else { return }
        if last != nil { checkSignatureOfLast() }
        guard let missing = heads.keys.min() else { return }
        fail(.seal(missing), "was kept elsewhere and is missing here, with the rows that it has")
    }

    /// Whether a note names a trusted key as its signer.
    ///
    /// The signature itself is checked only where the result depends on it: at the last seal, where the writer changes, and
    /// before new keys are trusted.
    private func isKnown(_ note: SignedNote) -> Bool {
        let hashes = trusted.map { SignedNote.keyHash($0, name: origin, functions) }
        return note.signatures.contains { hashes.contains($0.keyHash) }
    }

    private mutating func checkSignatureOfLast() {
        guard let last, !last.isChecked, !trust.keys.isEmpty else { return }
        self.last!.isChecked = true
        guard trust.isSigned(last.note, by: trusted, name: origin, functions) else {
            return fail(.seal(last.seal.number), "is not signed by an audit key that is trusted")
        }
    }

    private mutating func keep(_ seal: AuditSeal) {
        for head in seal.heads {
            chains[head.chain, default: Sealed(table: head.table)].add(head.position, seal.number, keepsLatestOnly)
        }
        for head in seal.removed { chains[head.chain, default: Sealed(table: head.table)].removed = head.position }
        for mark in seal.marks { marks[mark.table] = mark }
    }

    private mutating func fail(_ place: AuditFault.Place, _ detail: String) { faults.append(AuditFault(place, detail)) }
}
