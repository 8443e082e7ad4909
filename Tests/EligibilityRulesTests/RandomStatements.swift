import EligibilityRules
import TestRandomness

/// Statements about one customer's purchases, one fact each, with every contradiction that sources could come up with.
struct RandomStatements {
    private var random: SplitMix64
    private let chainCount: Int

    private static let chainIDs = ["o1", "o2", "\u{E9}", "e\u{301}"]
    private static let products = ["monthly", "monthly", "premium", "news", "legacy"]

    /// - Parameter seed: the same seed gives the same statements.
    init(seed: UInt64) {
        random = SplitMix64(seed: seed)
        chainCount = random.any(of: [1, 1, 1, 2, 4])
    }

    /// Four to fourteen statements.
    mutating func all() -> [PurchaseHistory] {
        (0..<random.any(of: Array(4...14))).map { _ in PurchaseHistory([statement()]) }
    }

    private mutating func statement() -> PurchaseChain {
        var chain = PurchaseChain(originalID: Self.chainIDs[Int(random.next() % UInt64(chainCount))])
        if !random.once(in: 3) {
            return PurchaseChain(originalID: chain.originalID, transactions: [transaction(in: chain.originalID)])
        }
        switch random.next() % 7 {
        case 0: chain.originallyPurchasedAt = instant()
        case 1: chain.groupID = random.any(of: ["main", "main", "other"])
        case 2: account(&chain)
        case 3: chain.environment = random.any(of: PurchaseEnvironment.allCases)
        case 4: chain.renewal = Stamped(renewal(), stamp())
        case 5: chain.winBackOffers = Stamped(OfferIDs(random.any(of: [[], ["w"], ["w", "v"], ["v", "w"]])), stamp())
        default: chain.isListedFromStart = true
        }
        return chain
    }

    private mutating func account(_ chain: inout PurchaseChain) {
        switch random.next() % 3 {
        case 0: chain.appAccountToken = Stamped(ExactText(random.any(of: ["a", "b"])), stamp())
        case 1: chain.appTransactionID = random.any(of: ["a", "b"])
        default: chain.previousOriginalID = random.any(of: Self.chainIDs)
        }
    }

    private mutating func transaction(in chainID: String) -> PurchaseTransaction {
        let number = Int(random.next() % 4)
        var transaction = PurchaseTransaction(
            id: number == 0 ? chainID : "t\(number)",
            productID: number == 3 ? random.any(of: Self.products) : "monthly",
            purchasedAt: random.once(in: 4) ? instant() : Month.start(number + 3)
        )
        switch random.next() % 8 {
        case 0: transaction.kind = random.any(of: ProductKind.allCases)
        case 1: transaction.ownership = random.any(of: Ownership.allCases)
        case 2:
            transaction.offer = RedeemedOffer(
                kind: random.any(of: RedeemedOffer.Kind.allCases), id: random.any(of: [nil, "", "half", "third"]))
        case 3: transaction.isUpgraded = true
        case 4, 5: transaction.expiry = Stamped(instant(), stamp())
        default:
            transaction.revocation = Stamped(random.once(in: 2) ? .none : .revoked(at: instant()), stamp())
            transaction.expiry = random.once(in: 2) ? nil : Stamped(instant(), stamp())
        }
        if random.once(in: 3) { transaction.lineItemID = random.any(of: ["1", "2", "3"]) }
        switch random.next() % 8 {
        case 0: transaction.cancellation = Stamped(instant(), stamp())
        case 1: transaction.reversal = stamp()
        default: break
        }
        (transaction.sharesPeriod, transaction.isRenewal) = (random.once(in: 4), random.once(in: 8))
        return transaction
    }

    private mutating func renewal() -> RenewalState {
        RenewalState(
            willRenew: random.any(of: [nil, true, false]),
            nextProductID: random.any(of: [nil, "", "premium"]),
            isInBillingRetry: random.any(of: [nil, true, false]),
            gracePeriodExpiresAt: random.any(of: [nil, instant()]),
            expirationIntent: random.any(of: [nil, 1, 2]),
            renewalDate: random.any(of: [nil, nil, instant()]),
            priceConsent: random.any(of: [nil, 0, 1])
        )
    }

    /// Few instants and sources, so that equal stamps with different values come up often.
    private mutating func stamp() -> Stamp {
        Stamp(asOf: Month.start(random.any(of: [4, 5, 6])), source: random.any(of: Source.allCases))
    }

    private mutating func instant() -> Instant {
        Month.start(random.any(of: [1, 3, 4, 5, 6, 7, 8]), day: random.any(of: [0, 20]))
    }
}
