package import EligibilityRules
package import WireText

extension CampaignSchedule {
    init(_ fields: DocumentFields) { self.init(from: fields.instant("from"), until: fields.instant("until")) }

    var json: JSONValue {
        .members(["from": from.map { .string($0.exactISO8601) }, "until": until.map { .string($0.exactISO8601) }])
    }
}

extension CampaignLimits {
    init(_ fields: DocumentFields) {
        self.init(
            perCustomer: fields.integer("perCustomer"), per: fields.period("per"), total: fields.integer("total"))
    }

    var json: JSONValue {
        .members([
            "perCustomer": perCustomer.map(JSONValue.integer), "per": per.map { .string($0.text) },
            "total": total.map(JSONValue.integer),
        ])
    }
}

extension CampaignGoal {
    init(_ fields: DocumentFields) {
        self.init(
            metric: fields.choice("metric") ?? .subscribed, window: fields.period("window") ?? CampaignGoal.defaultWindow,
            expected: fields.number("expected"), detect: fields.number("detect"), currency: fields.optionalText("currency"),
            standardDeviation: fields.number("standardDeviation"), cap: fields.number("cap"),
            customersPerDay: fields.integer("customersPerDay"))
    }

    static let fieldNames = ["metric", "window", "currency", "expected", "detect", "standardDeviation", "cap", "customersPerDay"]

    var json: JSONValue {
        .members([
            "metric": .string(metric.rawValue), "window": .string(window.text), "currency": currency.map(JSONValue.string),
            "expected": expected.map { .number($0.spelling) }, "detect": detect.map { .number($0.spelling) },
            "standardDeviation": standardDeviation.map { .number($0.spelling) }, "cap": cap.map { .number($0.spelling) },
            "customersPerDay": customersPerDay.map(JSONValue.integer),
        ])
    }
}

extension CampaignAnalysis {
    private enum Name: String, CaseIterable {
        case sequential, fixed
    }

    init(_ fields: DocumentFields) {
        let name: Name? = fields.choice("method")
        switch name ?? .sequential {
        case .sequential:
            if fields.value("sampleSize") != nil {
                fields.reading.refuse(
                    fields.path("sampleSize"), "belongs to method fixed: leave it out, or say \"method\": \"fixed\"")
            }
            self = .sequential
        case .fixed:
            fields.require("sampleSize", "how many customers, of all variants together")
            self = .fixed(sampleSize: fields.integer("sampleSize") ?? 0)
        }
    }

    /// Nil for the default method, which documents leave out.
    var json: JSONValue? {
        guard case .fixed(let units) = self else { return nil }
        return .members(["method": .string(Name.fixed.rawValue), "sampleSize": .integer(units)])
    }
}

extension CampaignVariant {
    /// Reads the variants of a campaign. It is a fault if the field is missing.
    static func all(_ fields: DocumentFields) -> [CampaignVariant] {
        fields.require("variants", "a list of variants, each with id and weight")
        return fields.list("variants") { CampaignVariant($0, at: $1, fields.reading) }
    }

    private init?(_ json: JSONValue, at path: String, _ reading: DocumentReading) {
        guard
            let fields = DocumentFields(
                json, at: path, known: ["id", "name", "weight", "offers", "introductoryOffer", "link", "switchTo", "message"],
                reading)
        else { return nil }
        fields.require("weight", "basis points: 5000 is 50 %")
        self.init(
            id: fields.text("id"), name: fields.optionalText("name"), weight: fields.integer("weight") ?? 0,
            offers: fields.list("offers") { Offer($0, at: $1, reading) },
            introductoryOffer: fields.object("introductoryOffer", known: ["productId", "allow"]).map(IntroductoryOffer.init),
            link: fields.optionalText("link"),
            switchTo: fields.object("switchTo", known: ["productId", "billingPlan"]).map(Switch.init),
            message: fields.optionalText("message"))
    }

    var json: JSONValue {
        .members([
            "id": .string(id), "name": name.map(JSONValue.string), "weight": .integer(weight),
            "offers": offers.isEmpty ? nil : .array(offers.map(\.json)), "introductoryOffer": introductoryOffer?.json,
            "link": link.map(JSONValue.string), "switchTo": switchTo?.json,
            "message": message.map(JSONValue.string),
        ])
    }
}

extension CampaignVariant.IntroductoryOffer {
    init(_ fields: DocumentFields) {
        fields.require("allow", "true to give the offer, false to withhold it")
        self.init(productID: fields.text("productId"), isAllowed: fields.flag("allow") ?? false)
    }

    /// The decision as documents have it.
    package var json: JSONValue { .members(["productId": .string(productID), "allow": .bool(isAllowed)]) }
}

extension CampaignVariant.Switch {
    init(_ fields: DocumentFields) {
        self.init(productID: fields.text("productId"), billingPlan: fields.choice("billingPlan"))
    }

    /// The product and its plan as documents have them.
    package var json: JSONValue {
        .members(["productId": .string(productID), "billingPlan": billingPlan.map { .string($0.rawValue) }])
    }
}

extension CampaignVariant.Offer {
    init?(_ json: JSONValue, at path: String, _ reading: DocumentReading) {
        guard let fields = DocumentFields(json, at: path, known: ["productId", "offerId"], reading) else { return nil }
        self.init(productID: fields.text("productId"), offerID: fields.text("offerId"))
    }

    var json: JSONValue { .members(["productId": .string(productID), "offerId": .string(offerID)]) }
}

extension Instant {
    /// The instant as text, such as `2026-03-01T09:30:00Z`. Milliseconds are written only if there are any.
    package var exactISO8601: String {
        let rest = (milliseconds % 1000 + 1000) % 1000
        // Foundation writes years before 1582 in the Julian calendar, but they are read in the Gregorian one. This writes all
        // years in the Gregorian calendar.
        let second = CalendarText.bytes(second: (milliseconds - rest) / 1000, format: "%04Y-%m-%dT%H:%M:%S")
        let fraction = rest > 0 ? ".\(String(rest + 1000).dropFirst())" : ""
        return "\(String(decoding: second, as: UTF8.self))\(fraction)Z"
    }
}

extension Double {
    /// The shortest text that reads back as this number; without a point if it is a whole number.
    var spelling: String {
        magnitude < 9_007_199_254_740_992 && self == rounded(.towardZero) ? String(Int64(self)) : "\(self)"
    }
}
