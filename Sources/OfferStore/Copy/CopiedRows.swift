/// A count and an order-independent hash of a table's rows: equal for the same rows in any order.
package struct CopiedRows: Equatable, Sendable {
    /// Number of rows.
    package private(set) var count = 0
    private var sum: UInt64 = 0
    private let hash: SipHash

    /// - Parameter hash: must be the same on both sides.
    package init(_ hash: SipHash) { self.hash = hash }

    /// Adds a row.
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
