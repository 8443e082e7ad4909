/// The known purchases of one customer in one app.
public struct PurchaseHistory: Hashable, Sendable {
    /// The purchase chains, ordered by original transaction id, each once.
    public private(set) var chains: [PurchaseChain]

    /// Merges chains of the same original transaction and puts them in order.
    ///
    /// - Parameter chains: in any order.
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

    // Each half is merged by itself first. A receipt may name one chain in thousands of statements, and merging these one after
    // the other would take quadratic time.
    private static func merged(_ chains: ArraySlice<PurchaseChain>) -> PurchaseChain {
        guard chains.count > 1 else { return chains[chains.startIndex] }
        let middle = chains.startIndex + chains.count / 2
        return merged(chains[..<middle]).merged(with: merged(chains[middle...]))
    }

    /// Returns what two histories say together.
    ///
    /// The result does not depend on the order of merging, nor on how often a history is merged.
    public func merged(with other: PurchaseHistory) -> PurchaseHistory { PurchaseHistory(chains + other.chains) }

    /// Whether no purchase is known.
    public var isEmpty: Bool { chains.isEmpty }
}
