import EligibilityRules
import OfferService
import WireText

/// `/v1/admin/apps`: shows the apps of the configuration and their catalogues.
struct AppsController: Sendable {
    let apps: AppDirectory
    let keys: CurrentKeyRing

    var routes: [OperationRoute] {
        [
            OperationRoute(.listApps) { request in
                let page = try ListPage(request.query)
                let visible = apps.all.filter { request.caller.mayUse(app: $0.bundleID) }
                return try page.json(of: visible, id: \.bundleID, app).asResponse()
            },
            OperationRoute(.getCatalogue) { request in
                return Self.catalogue(try apps.app(named: request.parameter("bundleId"), for: request.caller).catalogue)
                    .asResponse()
            },
        ]
    }

    private func app(_ app: App) -> JSONValue {
        .members([
            "bundleId": .string(app.bundleID), "environment": .string(app.environmentName),
            "sandbox": .bool(app.sandbox != nil), "xcode": .bool(app.xcode != nil),
            "eligibility": .string(app.rules.enforcement.rawValue), "twoPersonKeys": .bool(app.rules.needsTwoPersons),
            "activeKeyId": .text(keys.activeKeyID(for: app.bundleID)),
            "products": .number("\(app.catalogue.products.count)"),
        ])
    }

    private static func catalogue(_ catalogue: Catalogue) -> JSONValue {
        let products = catalogue.products.values.sorted { ($0.groupID, $0.level, $0.id) < ($1.groupID, $1.level, $1.id) }
        return .members([
            "products": .array(
                products.map { product in
                    .members([
                        "productId": .string(product.id), "groupId": .string(product.groupID),
                        "level": .number("\(product.level)"),
                        "period": .string(product.period), "prices": prices(product.prices),
                        "introductoryOffer": product.introductoryOffer.map { offer($0) } ?? .null,
                        "monthlyPlan": product.monthlyPlan.map {
                            .members([
                                "prices": prices($0.prices),
                                "introductoryOffer": $0.introductoryOffer.map { offer($0) } ?? .null,
                            ])
                        },
                        "promotionalOffers": .array(
                            product.promotionalOffers.sorted { $0.key.string < $1.key.string }.map { offer($1, id: $0.string) }),
                    ])
                })
        ])
    }

    private static func offer(_ offer: SubscriptionOffer, id: String? = nil) -> JSONValue {
        .members([
            "offerId": id.map(JSONValue.string), "kind": .string(offer.kind.rawValue), "period": .string(offer.period),
            "prices": prices(offer.prices), "billingPlan": offer.billingPlan == .monthly ? .string("monthly") : nil,
            "limits": offer.limits.map { limits($0) },
        ])
    }

    /// Returns the prices by storefront; nil if none are known.
    private static func prices(_ prices: [String: Money]) -> JSONValue? {
        guard !prices.isEmpty else { return nil }
        return .object(
            prices.sorted { $0.key < $1.key }.map { storefront, money in
                JSONValue.Member(
                    name: storefront,
                    value: .members(["price": .number(money.number), "currency": .string(money.currency)]))
            })
    }

    private static func limits(_ limits: OfferLimits) -> JSONValue {
        let number = { (value: Int?) in value.map { JSONValue.number("\($0)") } }
        return .members([
            "perCustomer": number(limits.perCustomer), "per": limits.per.map { .string($0.text) },
            "cooldown": limits.cooldown.map { .string($0.text) }, "notWhileActive": .bool(limits.notWhileActive),
            "outstanding": number(limits.outstanding), "total": number(limits.total),
            "countRefunded": .bool(limits.countsRefunded),
        ])
    }
}

/// `/v1/admin/replicas`: shows the processes that serve the same store.
struct ReplicasController: Sendable {
    let desk: ReplicaDesk

    var routes: [OperationRoute] {
        [
            OperationRoute(.listReplicas) { request in
                let page = try ListPage(request.query)
                return try page.json(of: try await desk.comparisons(), id: \.id) {
                    Self.replica($0, showsKeys: request.caller.apps == nil)
                }
                .asResponse()
            }
        ]
    }

    /// - Parameter showsKeys: whether the caller may see the keys of every app.
    private static func replica(_ replica: ReplicaComparison, showsKeys: Bool) -> JSONValue {
        .members([
            "id": .string(replica.id), "address": .string(replica.address), "version": .string(replica.version),
            "startedAt": .instant(replica.startedAt), "lastHeartbeatAt": .instant(replica.lastHeartbeatAt),
            "alive": .bool(replica.isAlive), "configurationDigest": .string(replica.configurationDigest),
            "keys": .array(
                (showsKeys ? replica.keys : []).map {
                    .members(["keyId": .string($0.id), "fingerprint": .string($0.fingerprint)])
                }),
            "clockOffset": replica.clockOffset.map { .number("\($0)") } ?? .null,
            "differs": .texts(replica.differences.map(\.rawValue)),
        ])
    }
}
