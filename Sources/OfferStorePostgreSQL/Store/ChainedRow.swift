/// How the number of a row is made of the number of its chain and its place in it: unlike everybody else's, and growing with the chain.
enum ChainedRow {
    /// Ten thousand rows a second fill a chain in three years; a process does not run that long.
    static let placeBits: Int64 = 40

    /// - Parameter place: the first is 1.
    static func id(chain: Int64, place: Int64) -> Int64 { chain << placeBits + place }

    /// The chain of a row.
    static func chain(of id: Int64) -> Int64 { id >> placeBits }

    /// Selects the last row of each chain of signatures that has any.
    static let lastRows = """
        SELECT number AS chain, last.id AS last_row FROM audit_chain
        CROSS JOIN LATERAL (SELECT max(id) AS id FROM signed_request WHERE id >= number << \(ChainedRow.placeBits) AND id < (number + 1) << \(ChainedRow.placeBits)) AS last
        WHERE table_name = 'signed_request' AND last.id IS NOT NULL
        """
}
