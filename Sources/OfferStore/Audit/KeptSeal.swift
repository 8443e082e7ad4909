/// A seal that was kept outside the store, where an attacker who can change the store cannot change it.
public enum KeptSeal: Equatable, Sendable {
    /// The whole seal. A witness may have added a signature.
    case note(SignedNote)
    /// The seal's number and the SHA-256 of the whole seal, as the service logs them.
    case digest(number: Int64, AuditLink)

    /// The seal's number; nil if it is not a seal of the log with this origin.
    func number(origin: String, _ functions: AuditFunctions) -> Int64? {
        switch self {
        case .note(let note): AuditSeal(text: note.text, origin: origin, functions)?.number
        case .digest(let number, _): number
        }
    }

    /// Whether the log's seal with this number is the same one.
    func isSame(as note: SignedNote, _ digest: AuditLink) -> Bool {
        switch self {
        case .note(let kept): kept.text == note.text
        case .digest(_, let kept): kept == digest
        }
    }
}
