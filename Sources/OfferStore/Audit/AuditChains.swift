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

    /// The open chains, and those left for a newer one since `forgetLeft`.
    package var all: [Head] { left + heads.compactMap(\.self) }

    /// The chain of a table; nil if it is not open.
    package subscript(table: AuditTable) -> Head? { heads[Int(table.code) - 1] }

    /// Whether the chain of a table is open.
    package func isOpen(_ table: AuditTable) -> Bool { heads[Int(table.code) - 1] != nil }

    /// Forgets the chains that were left for newer ones: their ends are sealed.
    package mutating func forgetLeft() { left = [] }

    /// Opens a chain, and leaves the one that was open.
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
