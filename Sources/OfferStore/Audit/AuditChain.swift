public import EligibilityRules

/// A chain of rows: one of each table for each process that writes.
public struct AuditChain: Equatable, Sendable {
    /// Bytes of a chain's and of a writer's id.
    package static let idLength = 16
    private static let version = Array("offersigner audit chain 1\n".utf8)

    /// What its rows call it.
    public let number: Int64
    /// Random.
    public let id: [UInt8]
    /// The process: random, the same for all of its chains.
    public let writer: [UInt8]
    /// Of which table its rows are.
    public let table: AuditTable
    /// When it began.
    public let openedAt: Instant
    /// What retention has taken of it.
    public let removed: AuditPosition?

    /// Takes the values as they are.
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

    /// What its first row is linked to.
    package func genesis(_ functions: AuditFunctions) -> AuditLink {
        let time = withUnsafeBytes(of: openedAt.milliseconds.bigEndian) { Array($0) }
        return functions.link(of: Self.version + [table.code] + id + writer + time)
    }
}
