/// The known purchases of one customer in one app.
public struct PurchaseHistory: Hashable, Sendable {
    /// Ordered by original transaction id. Each occurs once.
    public private(set) var chains: [PurchaseChain]

    /// - Parameter chains: in any order. Those of the same original transaction are merged.
    public init(_ chains: [PurchaseChain] = []) {
        guard chains.count > 1 else {
            self.chains = chains
            return
        }
        let sorted = chains.sorted { TextOrder.precedes($0.originalID, $1.originalID) }
        var result: [PurchaseChain] = []
        var start = sorted.startIndex
        while start < sorted.endIndex {
            let rest = sorted[start...]
            let end = rest.firstIndex { TextOrder.precedes(sorted[start].originalID, $0.originalID) } ?? sorted.endIndex
            result.append(PurchaseHistory.merged(sorted[start..<end]))
            start = end
        }
        self.chains = result
    }

    // By halves: a receipt may name one chain in thousands of statements, and adding them one by one would be quadratic.
    private static func merged(_ chains: ArraySlice<PurchaseChain>) -> PurchaseChain {
        guard chains.count > 1 else { return chains[chains.startIndex] }
        let middle = chains.startIndex + chains.count / 2
        return merged(chains[..<middle]).merged(with: merged(chains[middle...]))
    }

    /// Returns what both histories say together, independent of order and repetition.
    public func merged(with other: PurchaseHistory) -> PurchaseHistory { PurchaseHistory(chains + other.chains) }

    /// Whether nothing is known.
    public var isEmpty: Bool { chains.isEmpty }
}
