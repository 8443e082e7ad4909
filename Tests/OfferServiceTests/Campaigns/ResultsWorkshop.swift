import AppStore
import EligibilityRules
import FoundationEssentials
import OfferStore
import OfferStoreSQLite
import OfferStoreTesting
import TestRandomness
import WireText

@testable import OfferService

/// A campaign on SQLite whose customers are exposed, and buy, as the test says. It is day 20 after the first exposure.
final class ResultsWorkshop: Sendable {
    static let id = "spring-winback"
    static let day: Int64 = 24

    let folder: TemporaryFolder
    let store: Store
    let app: App
    let desk: CampaignResultsDesk
    let now: Instant

    init(
        today: Int64 = 20,
        patience: Duration = .seconds(60),
        exposures: (any ExposureStore)? = nil,
        histories: (any HistoryStore)? = nil
    ) async throws {
        folder = try TemporaryFolder()
        store = try .sqlite(
            signing: folder.path("signing.sqlite"), purchases: folder.path("purchases.sqlite"), audit: .testing,
            now: { .testNow }, onWait: { _ in })
        let product = SubscriptionProduct(
            id: "pro.monthly", groupID: "20563228", level: 1, period: "P1M", introductoryOffer: nil,
            promotionalOffers: [ExactText("half"): SubscriptionOffer(kind: .payAsYouGo, period: "P3M")])
        func app(_ environment: AppStoreEnvironment, _ place: App.Place) -> App {
            App(
                identity: AppIdentity(bundleID: "com.example.app", appAppleID: 42, environment: environment),
                rules: AppRules(enforcement: .enforce), policy: EligibilityPolicy(environment: environment.purchases),
                catalogue: Catalogue(products: [product]), place: place)
        }
        self.app = app(.production, .own(sandbox: app(.sandbox, .sandbox)))
        let now = Instant.hours(today * Self.day)
        self.now = now
        let system = SystemEnvironment(
            now: { now }, sleep: { try await Task.sleep(for: $0) }, randomBytes: SystemEnvironment.live.randomBytes)
        desk = CampaignResultsDesk(
            campaigns: store.signing.marketing.campaigns, exposures: exposures ?? store.signing.marketing.exposures,
            histories: histories ?? store.purchases.histories, system: system, patience: patience)
    }

    static func campaign(unit: BucketingUnit = .customer, metric: CampaignGoal.Metric = .subscribed) -> Campaign {
        Campaign(
            id: id, name: "Spring", bundleID: "com.example.app",
            design: CampaignDesign(
                unit: unit,
                variants: [
                    CampaignVariant(id: "control", weight: 5000),
                    CampaignVariant(
                        id: "half", weight: 5000, offers: [.init(productID: "pro.monthly", offerID: "half")]),
                ], goal: CampaignGoal(metric: metric, expected: 0.1, detect: 0.03)))
    }

    /// Publishes revisions, the first first.
    func publish(_ campaigns: Campaign...) async throws {
        var record = CampaignRecord.sample(Self.id)
        try await written(record)
        for (index, campaign) in campaigns.enumerated() {
            record = record.next(
                published: CampaignPublication(
                    number: index + 1, document: campaign.json.bytes, authors: ["a"], approved: .sample(),
                    published: CampaignAct(at: .hours(Int64(index)), by: "a")),
                standing: .live)
            try await written(record)
        }
    }

    private func written(_ record: CampaignRecord) async throws {
        let outcome = try await store.signing.marketing.campaigns.write(record, audit: [])
        guard outcome == .written else { throw StoreError(.unavailable, "\(outcome)") }
    }

    /// Exposes units, each on a day, some of them with a signature.
    func expose(_ exposures: [Exposure]) async throws {
        for start in stride(from: 0, to: exposures.count, by: 500) {
            let part = Array(exposures[start..<min(exposures.count, start + 500)])
            let outcome = try await store.signing.ledger.record(LedgerSubmission(nil, exposures: part))
            guard outcome == .recorded else { throw StoreError(.unavailable, "\(outcome)") }
        }
    }

    static func exposure(
        _ unit: String,
        _ variant: String?,
        day: Int64 = 0,
        in partition: AppPartition = "com.example.app",
        kind: BucketingUnit = .customer,
        revision: Int = 1,
        signed: Bool = false
    ) -> Exposure {
        Exposure(
            arm: ExposureArm(partition: partition, campaign: id, revision: revision, variant: variant, unitKind: kind),
            unit: unit, at: .hours(day * Self.day), source: ExposureSource(caller: "0123456789abcdef"),
            nonce: signed ? UUID() : nil)
    }

    /// A period of a month that begins on a day.
    static func purchase(
        _ transaction: String,
        day: Int64,
        price: Int64 = 9990,
        offer: String? = nil,
        refundedOn refund: Int64? = nil,
        in environment: PurchaseEnvironment = .production
    ) -> PurchaseChain {
        let stamp = Stamp(asOf: .hours((refund ?? day) * Self.day), source: .signedData)
        return PurchaseChain(
            originalID: transaction, groupID: "20563228", account: .init(appTransactionID: "70\(transaction)"),
            beginning: .init(originallyPurchasedAt: .hours(day * Self.day)), environment: environment,
            transactions: [
                PurchaseTransaction(
                    id: transaction, productID: "pro.monthly", purchasedAt: .hours(day * Self.day + 1),
                    kind: .autoRenewableSubscription, ownership: .purchased,
                    terms: .init(
                        offer: offer.map { RedeemedOffer(kind: .promotional, id: $0) }, sale: Sale(price: price, currency: "USD")),
                    state: .init(
                        expiry: Stamped(.hours((day + 30) * Self.day), stamp),
                        revocation: Stamped(refund.map { .revoked(at: .hours($0 * Self.day)) } ?? .none, stamp)))
            ])
    }

    func buy(_ chains: [(customer: String?, chain: PurchaseChain)], in partition: AppPartition = "com.example.app") async throws {
        for start in stride(from: 0, to: chains.count, by: 500) {
            _ = try await store.purchases.histories.applyAll(
                chains[start..<min(chains.count, start + 500)].map { .sample([$0.chain], of: $0.customer, app: partition) })
        }
    }

    func report(_ app: App? = nil, asOf: Instant? = nil) async throws -> ExperimentReport {
        guard case .counted(let report, nil) = try await desk.results(of: Self.id, app ?? self.app, asOf: asOf) else {
            throw StoreError(.unavailable, "not counted in time")
        }
        return report
    }
}
