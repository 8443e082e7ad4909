package import EligibilityRules
package import WireText

extension CampaignEvaluation {
    /// The whole evaluation, for programs. Revision 0, which stands for a text that was never published, is left out.
    ///
    /// - Parameter customer: the customer on whom the campaigns were tried.
    package func json(for customer: TriedCustomer) -> JSONValue {
        .members([
            "campaigns": .array(campaigns.map(\.json)),
            "assignments": .array(decision.assignments.map(\.json)),
            "offers": .array(
                decision.offers.map {
                    .members([
                        "productId": .string($0.offer.productID), "offerId": .string($0.offer.offerID),
                        "campaign": $0.assignment.reference("id"),
                    ])
                }
                    + decision.introductoryOffers.filter { customer.outcome($0) != nil }.map {
                        .members([
                            "productId": .string($0.offer.productID),
                            "introductoryOffer": .members(["allow": .bool($0.offer.isAllowed)]),
                            "campaign": $0.assignment.reference("id"),
                        ])
                    }
                    + decision.links.map {
                        .members(["productId": .null, "link": .string($0.url), "campaign": $0.assignment.reference("id")])
                    }),
        ])
    }
}

extension CampaignAssignment {
    fileprivate var json: JSONValue { reference("campaign") }

    fileprivate func reference(_ name: String) -> JSONValue {
        var members = [JSONValue.Member(name: name, value: .string(campaignID))]
        if revision.number > 0 { members.append(JSONValue.Member(name: "revision", value: .integer(revision.number))) }
        return .object(members + [JSONValue.Member(name: "variant", value: .string(variant))])
    }
}

extension CampaignExplanation {
    fileprivate var json: JSONValue {
        let placed = Bucket.Purpose.allCases.compactMap { purpose in
            buckets[purpose].map { bucket in
                JSONValue.Member(
                    name: purpose.rawValue,
                    value: .members(["hash": .integer(bucket.hash), "bucket": .integer(bucket.number)]))
            }
        }
        return .members([
            "id": .string(revision.campaign.id),
            "revision": revision.number > 0 ? .integer(revision.number) : nil,
            "verdict": .string(code),
            "variant": variant.map(JSONValue.string),
            "message": .string(words),
            "obstacles": .array(
                obstacles.map { .members(["code": .string($0.code), "message": .string(words($0))]) }),
            "audience": audience?.json,
            "unit": .members(["kind": .string(revision.campaign.design.unit.rawValue), "id": .text(unit)]),
            "buckets": .object(placed),
        ])
    }

    private var code: String {
        switch allocation {
        case .assigned: "assigned"
        case .heldOut: "held-out"
        case .passedOver: "passed-over"
        }
    }

    private var variant: String? {
        if case .assigned(let index) = allocation { revision.campaign.design.variants[index].id } else { nil }
    }
}

extension ConditionTrace {
    fileprivate var json: JSONValue {
        let isTest = if case .test = kind { true } else { false }
        return .members([
            "path": .string(path), "kind": .string(name), "holds": .string(truth.word), "text": .string(words),
            "value": isTest ? value?.json ?? .null : nil, "parts": isTest ? nil : .array(parts.map(\.json)),
        ])
    }

    private var name: String {
        switch kind {
        case .all: "all"
        case .any: "any"
        case .not: "not"
        case .segment: "segment"
        case .test: "test"
        }
    }
}
