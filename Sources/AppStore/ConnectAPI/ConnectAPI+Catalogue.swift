import EligibilityRules

extension ConnectAPI {
    /// Returns the subscription groups of an app with their products and offers; nil if the key sees no such app.
    ///
    /// - Parameter day: today, as `2026-01-31`. Offers that have ended are left out.
    package func groups(ofApp bundleID: String, on day: String) async throws(AppStoreError) -> [ConnectGroup]? {
        let apps = try await list(
            "/v1/apps", query: ["filter%5BbundleId%5D=\(URLText.encoded(bundleID))", "fields%5Bapps%5D=bundleId"])
        // The list may include apps whose ids only begin with this one.
        guard let app = apps.first(where: { $0.attributes.text("bundleId") == bundleID }) else { return nil }
        var groups: [ConnectGroup] = []
        for group in try await list("/v1/apps/\(URLText.encoded(app.id))/subscriptionGroups") {
            var subscriptions: [ConnectSubscription] = []
            for resource in try await list("/v1/subscriptionGroups/\(URLText.encoded(group.id))/subscriptions") {
                subscriptions.append(try await subscription(resource, on: day))
            }
            groups.append(
                ConnectGroup(
                    id: group.id, name: group.attributes.text("referenceName") ?? "",
                    subscriptions: subscriptions.sorted { ($0.level, $0.productID) < ($1.level, $1.productID) }))
        }
        return groups.sorted { $0.id < $1.id }
    }

    private func subscription(_ resource: ConnectResource, on day: String) async throws(AppStoreError) -> ConnectSubscription {
        let path = "/v1/subscriptions/\(URLText.encoded(resource.id))"
        let attributes = resource.attributes
        guard let productID = attributes.text("productId"), let word = attributes.text("subscriptionPeriod"),
            let period = ConnectPeriod.iso8601(word)
        else {
            throw AppStoreError(
                .malformedAnswer,
                "a subscription in App Store Connect has no productId or no known subscriptionPeriod; complete it there, or update OfferSigner"
            )
        }
        return ConnectSubscription(
            productID: productID, name: attributes.text("name") ?? "", level: attributes.integer("groupLevel") ?? 1,
            period: period,
            introductoryOffers: try await introductoryOffers(path, on: day),
            promotionalOffers: try await offers(
                path, "promotionalOffers", prices: "/v1/subscriptionPromotionalOffers", id: "offerCode", count: "numberOfPeriods",
                on: day),
            winBackOffers: try await offers(
                path, "winBackOffers", prices: "/v1/winBackOffers", id: "offerId", count: "periodCount", on: day))
    }

    /// Returns the introductory offers. App Store Connect has one per territory; equal ones become one.
    private func introductoryOffers(_ path: String, on day: String) async throws(AppStoreError) -> [ConnectOffer] {
        var found: [(offer: ConnectOffer, territories: Set<String>)] = []
        for resource in try await list("\(path)/introductoryOffers", query: ["include=territory"]) {
            let offer = try Self.offer(resource, id: "", count: "numberOfPeriods")
            guard !offer.isOver(on: day) else { continue }
            let territory = resource.related("territory").map { [$0] } ?? []
            if let place = found.firstIndex(where: { $0.offer == offer }) {
                found[place].territories.formUnion(territory)
            } else {
                found.append((offer, Set(territory)))
            }
        }
        // One that names no territory is for all.
        return found.map { $0.offer.with(territories: $0.territories.sorted()) }.sorted { left, right in
            let (first, second) = (left.territories.count, right.territories.count)
            if first != second { return first == 0 || (second != 0 && first > second) }
            return (left.from ?? "", left.period) < (right.from ?? "", right.period)
        }
    }

    private func offers(
        _ path: String,
        _ name: String,
        prices: String,
        id: String,
        count: String,
        on day: String
    ) async throws(AppStoreError) -> [ConnectOffer] {
        var offers: [ConnectOffer] = []
        for resource in try await list("\(path)/\(name)") {
            let offer = try Self.offer(resource, id: resource.attributes.text(id) ?? "", count: count)
            guard !offer.id.isEmpty, !offer.isOver(on: day) else { continue }
            let territories = try await list("\(prices)/\(URLText.encoded(resource.id))/prices", query: ["include=territory"])
                .compactMap { $0.related("territory") }
            offers.append(offer.with(territories: Set(territories).sorted()))
        }
        return offers.sorted { $0.id < $1.id }
    }

    private static func offer(_ resource: ConnectResource, id: String, count: String) throws(AppStoreError) -> ConnectOffer {
        let attributes = resource.attributes
        let kinds: [String: OfferKind] = [
            "FREE_TRIAL": .freeTrial, "PAY_AS_YOU_GO": .payAsYouGo, "PAY_UP_FRONT": .payUpFront,
        ]
        guard let kind = attributes.text("offerMode").flatMap({ kinds[$0] }), let word = attributes.text("duration"),
            let period = ConnectPeriod.iso8601(word, times: attributes.integer(count) ?? 1)
        else {
            throw AppStoreError(
                .malformedAnswer, "an offer in App Store Connect has an unknown offerMode or duration; update OfferSigner")
        }
        return ConnectOffer(
            id: id, kind: kind, period: period, from: attributes.text("startDate"), until: attributes.text("endDate"),
            territories: [])
    }
}
