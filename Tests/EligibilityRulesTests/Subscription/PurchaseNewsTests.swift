import EligibilityRules
import Testing

@Suite("News of a purchase chain")
struct PurchaseNewsTests {
    private static let day: Int64 = 24 * 3600 * 1000

    private static func at(_ day: Int64) -> Instant { Instant(milliseconds: 20_000 * Self.day + day * Self.day) }

    /// A period of 30 days that begins on a day.
    private static func period(
        _ id: String,
        _ day: Int64,
        offer: RedeemedOffer? = nil,
        isRenewal: Bool = true,
        revoked: Int64? = nil,
        asOf: Int64? = nil
    ) -> PurchaseTransaction {
        let stamp = Stamp(asOf: at(asOf ?? revoked ?? day), source: .signedData)
        return PurchaseTransaction(
            id: id, productID: "pro", purchasedAt: at(day), kind: .autoRenewableSubscription, ownership: .purchased,
            terms: .init(offer: offer), course: .init(isRenewal: isRenewal),
            state: .init(
                expiry: Stamped(at(day + 30), stamp), revocation: Stamped(revoked.map { .revoked(at: at($0)) } ?? .none, stamp)))
    }

    private static func renewal(_ asOf: Int64, _ state: RenewalState) -> PurchaseChain {
        PurchaseChain(originalID: "1", outlook: .init(renewal: Stamped(state, Stamp(asOf: at(asOf), source: .signedData))))
    }

    private static func chain(_ transactions: PurchaseTransaction...) -> PurchaseChain {
        PurchaseChain(originalID: "1", transactions: transactions)
    }

    private static let promotion = RedeemedOffer(kind: .promotional, id: "half")
    private static let first = period("1", 0, isRenewal: false)

    struct Course: Sendable, CustomTestStringConvertible {
        let name: String
        /// The day on which each source arrives, and what it shows.
        let sources: [(day: Int64, chain: PurchaseChain)]
        let news: [String]
        var testDescription: String { name }
    }

    static let courses: [Course] = [
        Course(name: "a first period", sources: [(0, chain(first))], news: ["subscription.started 1"]),
        Course(
            name: "a renewal", sources: [(0, chain(first)), (30, chain(period("2", 30)))],
            news: ["subscription.started 1", "subscription.renewed 2"]),
        Course(
            name: "a renewal shown alone", sources: [(30, chain(period("2", 30)))], news: ["subscription.renewed 2"]),
        Course(
            name: "an upgrade", sources: [(0, chain(first)), (10, chain(period("2", 10, isRenewal: false)))],
            news: ["subscription.started 1", "subscription.renewed 2"]),
        Course(
            name: "an old history", sources: [(200, chain(first, period("2", 30), period("3", 180)))],
            news: ["subscription.renewed 3"].map { $0.replacing("renewed", with: "recovered") }),
        Course(
            name: "a cancelled subscription, polled three times",
            sources: [
                (0, chain(first)), (20, renewal(20, RenewalState(willRenew: false))),
                (31, renewal(31, RenewalState(willRenew: false, expirationIntent: 1))),
                (32, renewal(32, RenewalState(willRenew: false, expirationIntent: 1))),
            ], news: ["subscription.started 1", "subscription.lapsed 1"]),
        Course(
            name: "a lapse, and a return",
            sources: [
                (0, chain(first)), (31, renewal(31, RenewalState(willRenew: false, expirationIntent: 1))),
                (50, chain(period("2", 50, isRenewal: false))),
            ], news: ["subscription.started 1", "subscription.lapsed 1", "subscription.started 2"]),
        Course(
            name: "a payment that is overdue, and collected",
            sources: [
                (0, chain(first)),
                (30, renewal(30, RenewalState(willRenew: true, isInBillingRetry: true, expirationIntent: 2))),
                (40, chain(period("2", 40))),
            ], news: ["subscription.started 1", "subscription.recovered 2"]),
        Course(
            name: "a payment collected in the grace period",
            sources: [
                (0, chain(first)),
                (30, renewal(30, RenewalState(willRenew: true, isInBillingRetry: true, gracePeriodExpiresAt: at(46)))),
                (40, chain(period("2", 30, asOf: 40))),
            ], news: ["subscription.started 1", "subscription.recovered 2"]),
        Course(
            name: "a grace period that is over, and then the retries",
            sources: [
                (0, chain(first)),
                (30, renewal(30, RenewalState(willRenew: true, isInBillingRetry: true, gracePeriodExpiresAt: at(46)))),
                (46, renewal(46, RenewalState(willRenew: true, isInBillingRetry: true, gracePeriodExpiresAt: at(46)))),
                (90, renewal(90, RenewalState(willRenew: false, isInBillingRetry: false, expirationIntent: 2))),
            ], news: ["subscription.started 1", "subscription.lapsed 1"]),
        Course(
            name: "retries that ended after sixty days",
            sources: [
                (0, chain(first)), (30, renewal(30, RenewalState(willRenew: true, isInBillingRetry: true))),
                (90, renewal(90, RenewalState(willRenew: false, isInBillingRetry: false, expirationIntent: 2))),
            ], news: ["subscription.started 1", "subscription.lapsed 1"]),
        Course(
            name: "a refund",
            sources: [(0, chain(first)), (5, chain(period("1", 0, isRenewal: false, revoked: 4)))],
            news: ["subscription.started 1", "subscription.refunded 1"]),
        Course(
            name: "an offer for three periods, of which the first is refunded",
            sources: [
                (0, chain(period("1", 0, offer: promotion, isRenewal: false))), (30, chain(period("2", 30, offer: promotion))),
                (60, chain(period("3", 60, offer: promotion))),
                (61, chain(period("1", 0, offer: promotion, isRenewal: false, revoked: 60))),
            ],
            news: [
                "subscription.started 1", "offer.redeemed 1", "subscription.renewed 2", "subscription.renewed 3",
                "subscription.refunded 1", "offer.refunded 1",
            ]),
        Course(
            name: "an offer redeemed twice",
            sources: [
                (0, chain(period("1", 0, offer: promotion, isRenewal: false))),
                (20, chain(period("2", 20, offer: promotion, isRenewal: false))),
            ],
            news: ["subscription.started 1", "offer.redeemed 1", "subscription.renewed 2", "offer.redeemed 2"]),
        Course(
            name: "an offer that a later source names",
            sources: [(0, chain(first)), (1, chain(period("1", 0, offer: promotion, isRenewal: false)))],
            news: ["subscription.started 1", "offer.redeemed 1"]),
        Course(
            name: "a win-back offer",
            sources: [(0, chain(period("1", 0, offer: RedeemedOffer(kind: .winBack, id: "back"), isRenewal: false)))],
            news: ["subscription.started 1", "offer.redeemed 1"]),
        Course(
            name: "an offer code",
            sources: [(0, chain(period("1", 0, offer: RedeemedOffer(kind: .offerCode, id: "CODE"), isRenewal: false)))],
            news: ["subscription.started 1"]),
        Course(
            name: "a consumable",
            sources: [
                (
                    0,
                    chain(
                        PurchaseTransaction(
                            id: "1", productID: "coins", purchasedAt: at(0), kind: .consumable, ownership: .purchased))
                )
            ], news: []),
    ]

    private static func news(_ sources: [(day: Int64, chain: PurchaseChain)]) -> [String] {
        var known: PurchaseChain?
        return sources.flatMap { source in
            let merged = known?.merged(with: source.chain) ?? source.chain
            defer { known = merged }
            return PurchaseNews.between(known, merged, at: at(source.day)).map { "\($0.kind.rawValue) \($0.transaction.id)" }
        }
    }

    @Test("Each course makes its news", arguments: courses)
    func course(_ course: Course) { #expect(Self.news(course.sources) == course.news) }

    @Test("Sources that repeat themselves, or come late, make no news again", arguments: courses)
    func repeated(_ course: Course) {
        let again = course.sources.indices.flatMap { course.sources[...$0] + course.sources[...$0].reversed() }
        #expect(Self.news(again) == course.news)
    }

    @Test("In any order of arrival each period begins once, and an offer is redeemed and refunded once")
    func anyOrder() {
        let sources = Self.courses.first { $0.name.contains("three periods") }!.sources.map { (day: Int64(25), chain: $0.chain) }
        // A period whose predecessor is not known yet may be said to recover, and an offer to be redeemed by a later period.
        func counted(_ news: [String]) -> [String] {
            news.map { news in
                let words = news.split(separator: " ")
                return switch words[0] {
                case "offer.redeemed": "redeemed"
                case "subscription.started", "subscription.renewed", "subscription.recovered": "begun \(words[1])"
                default: news
                }
            }.sorted()
        }
        let expected = counted(Self.news(sources))
        var order = sources
        for seed in 1...24 {
            order.swapAt(seed % 4, seed * 7 % 3)
            #expect(counted(Self.news(order)) == expected)
        }
    }
}
