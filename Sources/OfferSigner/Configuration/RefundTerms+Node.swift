import EligibilityRules
import OfferService

extension RefundTerms {
    /// Reads `refunds`, whose keys have been checked. Records missing and contradictory values as problems.
    ///
    /// - Parameter hasServerAPI: whether the app can use the App Store Server API, which answers need.
    init(_ node: ConfigurationNode?, hasServerAPI: Bool, path: String, _ problems: inout [String]) {
        let mode = node?.text("mode").flatMap(Mode.init) ?? .off
        if mode != .off, !hasServerAPI { problems.append("\(path).mode: needs issuerId, for the App Store Server API") }
        let nodes = node?.list("policies") ?? []
        let policies = nodes.enumerated().map { RefundPolicy($1, path: "\(path).policies[\($0)]", &problems) }
        for name in policies.map(\.name).repeated { problems.append("\(path).policies: \(name) appears twice") }
        for (index, policy) in policies.enumerated().dropLast() where policy.conditions.isEmpty {
            problems.append(
                "\(path).policies[\(index)]: has no when, so that the policies after it are never reached; put it last")
        }
        self.init(mode: mode, policies: policies)
    }
}

extension RefundPolicy {
    fileprivate init(_ node: ConfigurationNode, path: String, _ problems: inout [String]) {
        let name = node.text("name")
        if name == nil { problems.append("\(path).name: is missing") }
        self.init(
            name: name ?? path, conditions: RefundConditions(node["when"], path: "\(path).when", &problems),
            answer: RefundAnswer(node["answer"], path: "\(path).answer", &problems))
    }
}

extension RefundConditions {
    fileprivate init(_ node: ConfigurationNode?, path: String, _ problems: inout [String]) {
        let products = node?["products"]?.scalars
        if let products, products.isEmpty {
            problems.append("\(path).products: is empty, so that no purchase satisfies it; leave it out for all products")
        }
        let within = node?.text("purchasedWithin")
        if let within, CalendarPeriod(within) == nil {
            problems.append("\(path).purchasedWithin: must be an ISO 8601 duration such as P14D, P1M or P1Y")
        }
        self.init(
            products: products.map { Set($0.map(ExactText.init)) }, purchasedWithin: within.flatMap(CalendarPeriod.init),
            consumedBelow: node?.integer("consumedBelow"), consumedAtLeast: node?.integer("consumedAtLeast"),
            offersRedeemedAtLeast: node?.integer("offersRedeemedAtLeast"))
        if let below = consumedBelow, let least = consumedAtLeast, below <= least {
            problems.append("\(path): consumedBelow must be more than consumedAtLeast, or no purchase satisfies both")
        }
    }
}

extension RefundAnswer {
    fileprivate init(_ node: ConfigurationNode?, path: String, _ problems: inout [String]) {
        let percent = node?.integer("consumptionPercentage")
        self.init(
            preference: node?.text("refundPreference").flatMap(RefundPreference.init),
            deliveryStatus: node?.text("deliveryStatus").flatMap(DeliveryStatus.init) ?? .delivered,
            sampleContentProvided: node?.text("sampleContentProvided") == "true",
            consumptionPercentage: percent.map { $0 * Self.whole / 100 })
        if deliveryStatus != .delivered, let percent, percent != 0 {
            problems.append(
                "\(path).consumptionPercentage: must be 0 or left out, as nothing was delivered: Apple refuses others")
        }
        guard preference == .grantProrated else { return }
        if deliveryStatus != .delivered {
            problems.append(
                "\(path).refundPreference: GRANT_PRORATED needs deliveryStatus DELIVERED; for what was not delivered say GRANT_FULL"
            )
        }
        if let percent, !(1...99).contains(percent) {
            problems.append(
                "\(path).consumptionPercentage: must be from 1 to 99 with GRANT_PRORATED; Apple refuses others")
        }
    }
}

extension ConfigurationNode {
    fileprivate func integer(_ key: String) -> Int? { text(key).flatMap { Int($0) } }
}
