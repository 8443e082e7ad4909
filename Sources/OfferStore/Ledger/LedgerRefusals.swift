public import EligibilityRules
import FoundationEssentials
import WireText

/// The refused offers of a request.
public struct LedgerRefusals: Equatable, Sendable {
    /// A refused offer.
    public struct Offer: Equatable, Sendable {
        /// Product id.
        public let productID: String
        /// The offer id; empty for an introductory offer.
        public let offerID: String
        /// The code of the first reason.
        public let reason: String
        /// The transaction that decided; nil for none.
        public let evidence: String?

        /// Stores the given values without checking them.
        public init(productID: String, offerID: String, reason: String, evidence: String?) {
            self.productID = productID
            self.offerID = offerID
            self.reason = reason
            self.evidence = evidence
        }
    }

    /// When the decision was made.
    public let refusedAt: Instant
    /// The app in an environment.
    public let partition: AppPartition
    /// The request that asked for the offers.
    public let request: LedgerRequest
    /// The refused offers, at least one.
    public let offers: [Offer]

    /// Requires at least one offer, and checks nothing else.
    public init(
        refusedAt: Instant,
        partition: AppPartition,
        request: LedgerRequest,
        offers: [Offer]
    ) {
        precondition(!offers.isEmpty)
        self.refusedAt = refusedAt
        self.partition = partition
        self.request = request
        self.offers = offers
    }
}

extension LedgerRefusals {
    /// The number of non-personal texts of an offer in the list. The transaction that decided follows them.
    package static let publicFields = 3

    /// The stored list: JSON, `[["product","offer","reason"],…]`, with the transaction that decided as an optional fourth text.
    package var list: [UInt8] {
        JSONWriter.bytes { json in
            for (index, offer) in offers.enumerated() {
                json.append(raw: index == 0 ? "[[" : ",[")
                json.append(offer.productID)
                for text in [offer.offerID, offer.reason, offer.evidence].compactMap(\.self) {
                    json.append(raw: ",")
                    json.append(text)
                }
                json.append(raw: "]")
            }
            json.append(raw: "]")
        }
    }

    /// Parses a stored list. Throws `damaged` if it is malformed.
    package static func offers(_ list: String) throws(StoreError) -> [Offer] {
        guard let list = try? JSONDecoder().decode([[String]].self, from: Data(list.utf8)),
            !list.isEmpty, list.allSatisfy({ (publicFields...publicFields + 1).contains($0.count) })
        else { throw StoreError(.damaged, "a list of refused offers cannot be read") }
        return list.map {
            Offer(
                productID: $0[0], offerID: $0[1], reason: $0[2], evidence: $0.count > publicFields ? $0[publicFields] : nil)
        }
    }
}
