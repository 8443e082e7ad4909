/// What is known of one customer's purchases in one app.
public struct PurchaseHistory: Hashable, Sendable {
    /// By original transaction id; each once.
    public private(set) var chains: [PurchaseChain]

    /// - Parameter chains: in any order; those of the same original transaction are merged.
    public init(_ chains: [PurchaseChain] = []) {
        guard chains.count > 1 else {
            self.chains = chains
            return
        }
        var result: [PurchaseChain] = []
        for chain in chains.sorted(by: { TextOrder.precedes($0.originalID, $1.originalID) }) {
            if let last = result.last, !TextOrder.precedes(last.originalID, chain.originalID) {
                result[result.count - 1] = last.merged(with: chain)
            } else {
                result.append(chain)
            }
        }
        self.chains = result
    }

    /// Everything that both histories say together; independent of order and repetition.
    public func merged(with other: PurchaseHistory) -> PurchaseHistory { PurchaseHistory(chains + other.chains) }

    /// Whether nothing is known.
    public var isEmpty: Bool { chains.isEmpty }
}
