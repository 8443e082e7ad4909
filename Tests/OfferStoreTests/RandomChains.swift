import EligibilityRules
import OfferStoreTesting
import TestRandomness

/// Chains with anything in them that the types allow.
struct RandomChains {
    /// Which instants occur.
    enum Instants { case plausible, extreme }

    private static let extremes: [Int64] = [.min, .min + 1, -1, 0, 1, .max - 1, .max]
    private static let texts = [
        "", "pro.monthly", "20563228", "0", "007", "18446744073709551615", "18446744073709551616", "-1", "\u{0}", "a\u{0}b",
        "\u{E9}", "e\u{301}", "👩‍👩‍👧‍👦", "\u{202E}", "\u{FEFF}", "\u{10FFFF}", "\r\n", String(repeating: "x", count: 300),
    ]
    // No store keeps U+0000, and no decoder lets it through.
    private static let storableTexts = texts.filter { !$0.utf8.contains(0) && !$0.isEmpty }

    var random: SplitMix64
    private let instants: Instants

    /// - Parameter seed: the same seed gives the same chains.
    init(seed: UInt64, instants: Instants) {
        random = SplitMix64(seed: seed)
        self.instants = instants
    }

    mutating func next(originalID: String = "1") -> PurchaseChain {
        let count = random.any(of: [0, 1, 1, 2, 3, 12, 40])
        return PurchaseChain(
            originalID: originalID,
            groupID: maybe { $0.text() },
            account: .init(
                appAccountToken: maybe { Stamped(ExactText($0.text()), $0.stamp()) }, appTransactionID: maybe { $0.text() }),
            beginning: .init(originallyPurchasedAt: maybe { $0.instant() }, previousOriginalID: maybe { $0.text() }),
            environment: maybe { $0.random.any(of: PurchaseEnvironment.allCases) },
            transactions: (0..<count).map { _ in transaction() },
            outlook: .init(
                renewal: maybe { Stamped($0.renewal(), $0.stamp()) },
                winBackOffers: maybe { chains in
                    Stamped(OfferIDs((0..<chains.random.below(4)).map { _ in chains.text() }), chains.stamp())
                }),
            isListedFromStart: random.below(2) == 0
        )
    }

    private mutating func transaction() -> PurchaseTransaction {
        PurchaseTransaction(
            id: maybe { $0.text() } ?? String(random.next() >> random.any(of: [0, 1, 14, 60])),
            productID: text(),
            purchasedAt: instant(),
            kind: maybe { $0.random.any(of: ProductKind.allCases) },
            ownership: maybe { $0.random.any(of: Ownership.allCases) },
            terms: .init(
                lineItemID: maybe { chains in chains.maybe { $0.text() } ?? String(chains.random.next() >> 20) },
                offer: maybe { chains in
                    RedeemedOffer(kind: chains.random.any(of: RedeemedOffer.Kind.allCases), id: chains.maybe { $0.text() })
                },
                sale: maybe { chains in
                    Sale(
                        price: chains.maybe { Int64(bitPattern: $0.random.next() >> $0.random.any(of: [0, 1, 40])) },
                        currency: chains.maybe { $0.text() }, storefront: chains.maybe { $0.text() },
                        discount: chains.maybe { $0.text() },
                        seats: chains.maybe { $0.random.any(of: [.unknown, .charged(Int64(bitPattern: $0.random.next()))]) },
                        refund: chains.maybe { Stamped($0.refund(), $0.stamp()) })
                } ?? nil),
            course: .init(isUpgraded: random.below(2) == 0, isRenewal: random.below(2) == 0, sharesPeriod: random.below(2) == 0),
            state: .init(
                expiry: maybe { Stamped($0.instant(), $0.stamp()) },
                revocation: maybe { chains in
                    Stamped(chains.maybe { .revoked(at: $0.instant()) } ?? Revocation.none, chains.stamp())
                }, cancellation: maybe { Stamped($0.instant(), $0.stamp()) }, reversal: maybe { $0.stamp() },
                particulars: maybe { Stamped($0.particulars(), $0.stamp()) })
        )
    }

    private mutating func refund() -> Refund {
        random.any(of: [.none, .unknown, .part(Int64(random.below(9)), of: 8), .part(.min, of: .max)])
    }

    private mutating func renewal() -> RenewalState {
        RenewalState(
            willRenew: maybe { $0.random.below(2) == 0 },
            nextProductID: maybe { $0.text() },
            isInBillingRetry: maybe { $0.random.below(2) == 0 },
            gracePeriodExpiresAt: maybe { $0.instant() },
            expirationIntent: maybe { Int64($0.random.below(256)) },
            renewalDate: maybe { $0.instant() },
            priceConsent: maybe { Int64($0.random.below(4)) },
            particulars: maybe { $0.particulars() }
        )
    }

    private mutating func particulars() -> Particulars {
        Particulars(
            ["offerType", "revocationType"].map {
                Particulars.Fact(name: $0, value: text(), isRecognised: random.below(2) == 0)
            })
    }

    private mutating func stamp() -> Stamp { Stamp(asOf: instant(), source: random.any(of: Source.allCases)) }

    private mutating func instant() -> Instant {
        guard instants == .extreme, random.below(4) == 0 else { return .hours(Int64(random.below(20_000)) - 10_000) }
        let milliseconds = random.below(2) == 0 ? random.any(of: Self.extremes) : Int64(bitPattern: random.next())
        return Instant(milliseconds: milliseconds)
    }

    private mutating func text() -> String {
        guard random.below(3) == 0 else { return random.any(of: instants == .extreme ? Self.texts : Self.storableTexts) }
        return String(String.UnicodeScalarView((0...random.below(12)).map { _ in scalar() }))
    }

    private mutating func scalar() -> Unicode.Scalar {
        Unicode.Scalar(UInt32(random.below(0x110000 - 1) + 1)) ?? "\u{FFFD}"
    }

    private mutating func maybe<Value>(_ value: (inout RandomChains) -> Value) -> Value? {
        random.below(2) == 0 ? value(&self) : nil
    }
}
