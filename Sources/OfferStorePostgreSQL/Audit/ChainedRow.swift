/// How the number of a row is made of the number of its chain and its place in it: unlike everybody else's, and growing with the chain.
enum ChainedRow {
    private static let placeBits: Int64 = 32

    /// - Parameter place: the first is 1.
    static func id(chain: Int64, place: Int64) -> Int64 { chain << placeBits + place }

    /// The numbers that rows of a chain can have.
    static func ids(of chain: Int64) -> Range<Int64> { id(chain: chain, place: 0)..<id(chain: chain + 1, place: 0) }

    /// The chain of a row.
    static func chain(of id: Int64) -> Int64 { id >> placeBits }
}
