public import EligibilityRules

/// The chains that a process writes, and their current positions.
package struct AuditChains {
    /// A chain with its current position.
    package struct Head: Equatable, Sendable {
        package let chain: AuditChain
        package fileprivate(set) var position: AuditPosition
    }

    private var heads: [Head?] = AuditTable.allCases.map { _ in nil }
    private var left: [Head] = []

    package init() {}

    /// The open chains, and those that newer chains have replaced since the last `forgetLeft`.
    package var all: [Head] { left + heads.compactMap(\.self) }

    /// The chain of a table; nil if it is not open.
    package subscript(table: AuditTable) -> Head? { heads[Int(table.code) - 1] }

    /// Whether the chain of a table is open.
    package func isOpen(_ table: AuditTable) -> Bool { heads[Int(table.code) - 1] != nil }

    /// Forgets the chains that newer ones have replaced.
    ///
    /// Call it once a seal covers their last rows.
    package mutating func forgetLeft() { left = [] }

    /// Opens a chain in place of the one that was open for the same table.
    package mutating func open(_ chain: AuditChain, _ functions: AuditFunctions) {
        if let former = self[chain.table] { left.append(former) }
        let position = AuditPosition(rows: 0, lastRow: 0, link: chain.genesis(functions))
        heads[Int(chain.table.code) - 1] = Head(chain: chain, position: position)
    }

    /// Appends the encoded row to the chain of its table, which must be open.
    package mutating func extend(
        _ table: AuditTable,
        id: Int64,
        _ row: AuditRowEncoder,
        _ functions: AuditFunctions
    ) -> (chain: Int64, link: AuditLink) {
        let index = Int(table.code) - 1
        let link = row.link(after: heads[index]!.position.link, functions.sha256)
        heads[index]!.position.rows += 1
        heads[index]!.position.lastRow = id
        heads[index]!.position.link = link
        return (heads[index]!.chain.number, link)
    }
}

/// A chain of audit rows, each linked to the one before by `AuditLink`. Each process writes one chain at a time for each table.
public struct AuditChain: Equatable, Sendable {
    /// Length of a chain's and of a writer's id, in bytes.
    package static let idLength = 16
    private static let version = Array("offersigner audit chain 1\n".utf8)

    /// The number by which rows refer to the chain.
    public let number: Int64
    /// The chain's unique id: random bytes.
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
