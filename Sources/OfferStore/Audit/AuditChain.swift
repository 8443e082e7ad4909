public import EligibilityRules

/// A chain of audit rows, each linked to the one before by `AuditLink`. Each process writes one chain at a time for each table.
public struct AuditChain: Equatable, Sendable {
    /// Length of a chain's and of a writer's id, in bytes.
    package static let idLength = 16
    private static let version = Array("offersigner audit chain 1\n".utf8)

    /// The number by which rows refer to the chain.
    public let number: Int64
    /// Random bytes.
    public let id: [UInt8]
    /// Id of the writing process: random bytes, the same for all of its chains.
    public let writer: [UInt8]
    /// The table of the chain's rows.
    public let table: AuditTable
    /// When the chain began.
    public let openedAt: Instant
    /// The last row that retention removed; nil for none.
    public let removed: AuditPosition?

    package init(
        number: Int64,
        id: [UInt8],
        writer: [UInt8],
        table: AuditTable,
        openedAt: Instant,
        removed: AuditPosition? = nil
    ) {
        self.number = number
        self.id = id
        self.writer = writer
        self.table = table
        self.openedAt = openedAt
        self.removed = removed
    }

    /// The link that precedes the chain's first row.
    package func genesis(_ functions: AuditFunctions) -> AuditLink {
        let time = withUnsafeBytes(of: openedAt.milliseconds.bigEndian) { Array($0) }
        return functions.link(of: Self.version + [table.code] + id + writer + time)
    }
}
