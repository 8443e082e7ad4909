/// How many rows were seen of a table, and which: equal for the same rows in any order.
package struct CopiedRows: Equatable, Sendable {
    /// How many.
    package private(set) var count = 0
    private var sum: UInt64 = 0
    private let hash: SipHash

    /// - Parameter hash: the same on both sides.
    package init(_ hash: SipHash) { self.hash = hash }

    /// Takes a row in.
    package mutating func add(_ row: [CopiedValue]) {
        var bytes: [UInt8] = []
        for value in row { value.append(to: &bytes) }
        sum &+= bytes.withUnsafeBytes { hash.hash($0) }
        count += 1
    }

    /// Whether both have the same rows.
    package static func == (left: CopiedRows, right: CopiedRows) -> Bool {
        left.count == right.count && left.sum == right.sum
    }
}
