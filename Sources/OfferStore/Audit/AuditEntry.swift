/// A row of any table of the audit log, as an event.
public struct AuditEntry: Equatable, Sendable {
    /// The action of a signature row.
    package static let signed = "signature.made"
    /// The action of a refusal row.
    package static let refused = "signature.refused"

    /// The row's table.
    public let table: AuditTable
    /// The row's number in the table.
    public let id: Int64
    /// The row's content in the form of an event.
    ///
    /// For a signature, the object's id is that of the signing key, and its `after` lists the offers. For a refusal, `after`
    /// lists the offers with the reasons.
    public let event: AuditEvent
    /// SHA-256 of this row and all rows before it in its chain; nil if it cannot be read.
    public let link: AuditLink?

    package init(table: AuditTable, id: Int64, event: AuditEvent, link: AuditLink?) {
        self.table = table
        self.id = id
        self.event = event
        self.link = link
    }
}

/// What an act was done to, and its state before and after.
///
/// Contains no secrets and no personal data: unlike `AuditPersonalData`, it cannot be erased.
public struct AuditObject: Equatable, Sendable {
    /// The object, such as a key's id; nil where the act names none.
    public let id: String?
    /// The object's state before the act; nil if there was none.
    public let before: String?
    /// The object's state after the act; nil if there is none.
    public let after: String?

    /// Stores the given values without checking them.
    public init(_ id: String? = nil, before: String? = nil, after: String? = nil) {
        self.id = id
        self.before = before
        self.after = after
    }

    /// No object, and no state.
    public static let none = AuditObject()
}

/// A position in a chain.
public struct AuditPosition: Equatable, Sendable {
    /// Number of rows so far, including those that retention removed.
    public var rows: Int64
    /// Id of the last row.
    public var lastRow: Int64
    /// Link of the last row.
    public var link: AuditLink

    package init(rows: Int64, lastRow: Int64, link: AuditLink) {
        self.rows = rows
        self.lastRow = lastRow
        self.link = link
    }
}

/// The audit log's state in a process, kept between transactions. A value type, so that a failed transaction leaves it unchanged.
package struct AuditState {
    /// The chains that the process writes.
    package var chains = AuditChains()
    /// What the process has sealed.
    package var sealing: AuditSealing

    package init(_ identity: AuditIdentity) {
        sealing = AuditSealing(writer: identity.writer, origin: identity.origin, identity.functions)
    }
}
