/// A seal that was kept elsewhere, where whoever changes the store cannot change it.
public enum KeptSeal: Equatable, Sendable {
    /// The whole seal. A witness may have added a signature.
    case note(SignedNote)
    /// Its number, and the SHA-256 of the whole seal, as a line of the service's log has them.
    case digest(number: Int64, AuditLink)

    /// The seal's number; nil if it is not a seal of the log with this origin.
    func number(origin: String, _ functions: AuditFunctions) -> Int64? {
        switch self {
        case .note(let note): AuditSeal(text: note.text, origin: origin, functions)?.number
        case .digest(let number, _): number
        }
    }

    /// Whether it is the seal that the log has.
    func isSame(as note: SignedNote, _ digest: AuditLink) -> Bool {
        switch self {
        case .note(let kept): kept.text == note.text
        case .digest(_, let kept): kept == digest
        }
    }
}
