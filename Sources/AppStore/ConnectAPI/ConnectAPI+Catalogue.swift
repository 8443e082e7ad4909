import EligibilityRules

extension ConnectAPI {
    /// Returns the subscription groups of an app with their products and offers; nil if the API key has no access to such an app.
    ///
    /// - Parameters:
    ///   - day: today, such as `2026-01-31`. Offers that ended before this day are left out.
    ///   - territories: the storefronts whose prices are read; empty for all, nil for no prices.
    package func groups(
        ofApp bundleID: String,
        on day: String,
        pricesIn territories: [String]? = nil
    ) async throws(AppStoreError) -> [ConnectGroup]? {
        let reading = Reading(day: day, territories: territories)
        let apps = try await list(
            "/v1/apps", query: ["filter%5BbundleId%5D=\(URLText.encoded(bundleID))", "fields%5Bapps%5D=bundleId"])
        // App Store Connect may also list apps whose bundle id only begins with this one.
        guard let app = apps.first(where: { $0.attributes.text("bundleId") == bundleID }) else { return nil }
        var groups: [ConnectGroup] = []
        for group in try await list("/v1/apps/\(URLText.encoded(app.id))/subscriptionGroups") {
            var subscriptions: [ConnectSubscription] = []
            for resource in try await list("/v1/subscriptionGroups/\(URLText.encoded(group.id))/subscriptions") {
                subscriptions.append(try await subscription(resource, reading))
            }
            groups.append(
                ConnectGroup(
                    id: group.id, name: group.attributes.text("referenceName") ?? "",
                    subscriptions: subscriptions.sorted { ($0.level, $0.productID) < ($1.level, $1.productID) }))
        }
        return groups.sorted { $0.id < $1.id }
    }

    /// What is read of a catalogue: which day counts as today, and in which territories the prices are read.
    private struct Reading {
        let day: String
        let territories: [String]?

        var include: String { territories == nil ? "include=territory" : "include=territory,subscriptionPricePoint" }

        /// - Parameter plan: nil for the prices of an offer.
        func prices(_ listing: ConnectListing, of plan: BillingPlan? = nil) -> [String: Money] {
            territories.map { listing.prices(on: day, in: $0, of: plan) } ?? [:]
        }
    }

    private func subscription(
        _ resource: ConnectResource,
        _ reading: Reading
    ) async throws(AppStoreError) -> ConnectSubscription {
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
        let prices = try await prices(path, reading)
        return ConnectSubscription(
            productID: productID, name: attributes.text("name") ?? "", level: attributes.integer("groupLevel") ?? 1,
            period: period,
            prices: prices.upfront, monthlyPrices: prices.monthly,
            introductoryOffers: try await introductoryOffers(path, reading),
            promotionalOffers: try await offers(
                path, "promotionalOffers", prices: "/v1/subscriptionPromotionalOffers", id: "offerCode", count: "numberOfPeriods",
                reading),
            winBackOffers: try await offers(
                path, "winBackOffers", prices: "/v1/winBackOffers", id: "offerId", count: "periodCount", reading))
    }

    private func prices(
        _ path: String,
        _ reading: Reading
    ) async throws(AppStoreError) -> (upfront: [String: Money], monthly: [String: Money]) {
        guard let territories = reading.territories else { return ([:], [:]) }
        let filter =
            territories.isEmpty ? [] : ["filter%5Bterritory%5D=\(territories.map(URLText.encoded).joined(separator: ","))"]
        let listing = try await listing("\(path)/prices", query: [reading.include] + filter)
        return (reading.prices(listing, of: .upfront), reading.prices(listing, of: .monthly))
    }

    /// Returns the introductory offers.
    ///
    /// App Store Connect has a separate offer for each territory. Offers that differ only in the territory are returned as one
    /// offer.
    private func introductoryOffers(_ path: String, _ reading: Reading) async throws(AppStoreError) -> [ConnectOffer] {
        var found: [(offer: ConnectOffer, territories: Set<String>, elements: [ConnectResource])] = []
        let listing = try await listing("\(path)/introductoryOffers", query: [reading.include])
        for resource in listing.elements {
            let offer = try Self.offer(resource, id: "", count: "numberOfPeriods")
            guard !offer.isOver(on: reading.day) else { continue }
            let territory = resource.related("territory").map { [$0] } ?? []
            if let place = found.firstIndex(where: { $0.offer == offer }) {
                found[place].territories.formUnion(territory)
                found[place].elements.append(resource)
            } else {
                found.append((offer, Set(territory), [resource]))
            }
        }
        // An offer that names no territory is for all territories. It therefore comes first.
        return found.map { offer, territories, elements in
            offer.with(
                territories: territories.sorted(),
                prices: reading.prices(ConnectListing(elements: elements, included: listing.included)))
        }.sorted { left, right in
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
        _ reading: Reading
    ) async throws(AppStoreError) -> [ConnectOffer] {
        var offers: [ConnectOffer] = []
        for resource in try await list("\(path)/\(name)") {
            let offer = try Self.offer(resource, id: resource.attributes.text(id) ?? "", count: count)
            guard !offer.id.isEmpty, !offer.isOver(on: reading.day) else { continue }
            let listing = try await listing("\(prices)/\(URLText.encoded(resource.id))/prices", query: [reading.include])
            offers.append(
                offer.with(
                    territories: Set(listing.elements.compactMap { $0.related("territory") }).sorted(),
                    prices: reading.prices(listing)))
        }
        return offers.sorted { $0.id < $1.id }
    }

    private static func offer(_ resource: ConnectResource, id: String, count: String) throws(AppStoreError) -> ConnectOffer {
        let attributes = resource.attributes
        let kinds: [String: OfferKind] = [
            "FREE_TRIAL": .freeTrial, "PAY_AS_YOU_GO": .payAsYouGo, "PAY_UP_FRONT": .payUpFront,
        ]
        guard let kind = attributes.text("offerMode").flatMap({ kinds[$0] }), let word = attributes.text("duration"),
            let period = ConnectPeriod.iso8601(word, times: attributes.integer(count) ?? 1),
            let plan = BillingPlan(connectName: attributes.text("targetSubscriptionPlanType"))
        else {
            throw AppStoreError(
                .malformedAnswer,
                "an offer in App Store Connect has an unknown offerMode, duration or targetSubscriptionPlanType; update OfferSigner"
            )
        }
        return ConnectOffer(
            id: id, kind: kind, period: period, from: attributes.text("startDate"), until: attributes.text("endDate"),
            territories: [], prices: [:], billingPlan: plan)
    }
}

/// A subscription group in App Store Connect.
package struct ConnectGroup: Equatable, Sendable {
    /// The group's id, which signed transactions state as `subscriptionGroupIdentifier`.
    package let id: String
    /// The reference name, which only the company sees.
    package let name: String
    /// The subscriptions, ordered by level and product id.
    package let subscriptions: [ConnectSubscription]
}

/// Converts the durations of App Store Connect (`SubscriptionOfferDuration`, `subscriptionPeriod`) to ISO 8601.
enum ConnectPeriod {
    private static let words: [String: (count: Int64, unit: String)] = [
        "THREE_DAYS": (3, "D"), "ONE_WEEK": (1, "W"), "TWO_WEEKS": (2, "W"), "ONE_MONTH": (1, "M"), "TWO_MONTHS": (2, "M"),
        "THREE_MONTHS": (3, "M"), "SIX_MONTHS": (6, "M"), "ONE_YEAR": (1, "Y"),
    ]

    /// Returns the duration multiplied by `times`: `P3M` for `ONE_MONTH` three times. Nil for an unknown word.
    static func iso8601(_ word: String, times: Int64 = 1) -> String? {
        guard let (count, unit) = words[word], (1...100).contains(times) else { return nil }
        return "P\(count * times)\(unit)"
    }
}
