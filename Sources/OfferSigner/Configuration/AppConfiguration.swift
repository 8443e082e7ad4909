import AppStore
import EligibilityRules
import FoundationEssentials
import OfferService
import OfferSigning
import OfferStore
import WireText

/// One app as configured.
struct AppConfiguration {
    let bundleID: String
    let appAppleID: Int64?
    let issuerID: String?
    let environment: AppStoreEnvironment
    let takesSandbox: Bool
    /// The key that signs for StoreKit Testing in Xcode; nil if nothing is signed for it.
    let xcodeKey: XcodeKey?
    let sharedSecret: String?
    var enforcement: App.Enforcement
    var introductoryOverrides: App.IntroductoryOverrides
    var transfer: App.Transfer
    let writesAppAccountToken: Bool
    let twoPersonKeys: Bool
    /// The tokens with which the app's users can send requests themselves; nil if they cannot.
    let endUserTokens: EndUserTokens?
    /// The message of Retention Messaging if no campaign decides; nil if the service then has none to show.
    let retentionMessage: UUID?
    let refunds: RefundTerms
    var policy: EligibilityPolicy
    var catalogue: Catalogue

    struct XcodeKey {
        let id: String
        let file: String
    }
}

extension AppConfiguration {
    /// Reads one element of `apps`, whose keys have been checked. Records missing values as problems.
    init(_ node: ConfigurationNode, path: String, _ problems: inout [String]) {
        bundleID = node.required("bundleId", path, &problems)
        appAppleID = node.text("appAppleId").flatMap { Int64($0) }
        issuerID = node.text("issuerId")
        sharedSecret = node.sharedSecret(path, &problems)
        enforcement = node.text("eligibility").flatMap(App.Enforcement.init) ?? .enforce
        environment = node.text("environment").flatMap(AppStoreEnvironment.init) ?? .production
        takesSandbox = node.text("sandbox") == "true"
        xcodeKey = node["xcodeKey"].map {
            XcodeKey(
                id: $0.required("id", "\(path).xcodeKey", &problems), file: $0.required("file", "\(path).xcodeKey", &problems))
        }
        writesAppAccountToken = node.text("writeAppAccountToken") == "true"
        if writesAppAccountToken, issuerID == nil { problems.append("\(path).writeAppAccountToken: needs issuerId") }
        twoPersonKeys = node.text("twoPersonKeys") == "true"
        introductoryOverrides = node.text("introductoryOverrides").flatMap(App.IntroductoryOverrides.init) ?? .backend
        transfer = node.text("transfer").flatMap(App.Transfer.init) ?? .backend
        endUserTokens = node["endUserTokens"].flatMap { EndUserTokens($0, path: "\(path).endUserTokens", &problems) }
        retentionMessage = node["retention"]?.text("message").flatMap { UUID(text: $0) }
        if let text = node["retention"]?.text("message") {
            if retentionMessage == nil { problems.append("\(path).retention.message: \(text) is not a UUID") }
            if appAppleID == nil {
                problems.append("\(path).retention: needs appAppleId, by which the App Store names the app")
            }
            if issuerID == nil { problems.append("\(path).retention: needs issuerId, for the JWS of an offer") }
        }
        refunds = RefundTerms(node["refunds"], hasServerAPI: issuerID != nil, path: "\(path).refunds", &problems)
        policy = EligibilityPolicy(
            requiresHistory: node.text("requireHistory") == "true",
            familySharedCountsAsOwn: node.text("familySharedCountsAsOwn") == "true",
            environment: environment.purchases
        )
        if takesSandbox, environment != .production {
            problems.append("\(path).sandbox: is for apps whose environment is Production; this one's is \(environment.rawValue)")
        }
        if xcodeKey != nil, ![.production, .sandbox].contains(environment) {
            problems.append(
                "\(path).xcodeKey: is for apps whose environment is Production or Sandbox; this one's is \(environment.rawValue), "
                    + "whose key belongs into keys.directory")
        }
        if !AppPartition.isPossible(bundleID: bundleID) { problems.append("\(path).bundleId: cannot have a # in it") }
        var products: [SubscriptionProduct] = []
        for (index, group) in node.list("subscriptionGroups").enumerated() {
            let groupPath = "\(path).subscriptionGroups[\(index)]"
            let groupID = group.required("id", groupPath, &problems)
            for (index, product) in group.list("products").enumerated() {
                let productPath = "\(groupPath).products[\(index)]"
                products.append(SubscriptionProduct(product, groupID: groupID, path: productPath, &problems))
            }
        }
        for id in products.map({ ExactText($0.id) }).repeated { problems.append("\(path): product \(id.string) appears twice") }
        catalogue = Catalogue(products: products, appAppleID: appAppleID)
    }
}

extension SubscriptionProduct {
    private static var maxPromotionalOffers: Int { 10 }

    fileprivate convenience init(_ node: ConfigurationNode, groupID: String, path: String, _ problems: inout [String]) {
        var offers: [ExactText: SubscriptionOffer] = [:]
        for (index, offer) in node.list("promotionalOffers").enumerated() {
            let offerPath = "\(path).promotionalOffers[\(index)]"
            let id = offer.required("id", offerPath, &problems)
            let value = SubscriptionOffer(offer, path: offerPath, &problems)
            if offers.updateValue(value, forKey: ExactText(id)) != nil {
                problems.append("\(offerPath): offer \(id) appears twice")
            }
        }
        if offers.count > Self.maxPromotionalOffers {
            problems.append(
                "\(path).promotionalOffers: has \(offers.count) offers; a product has at most "
                    + "\(Self.maxPromotionalOffers) active ones in App Store Connect")
        }
        let introductory = node["introductoryOffer"].map {
            SubscriptionOffer($0, path: "\(path).introductoryOffer", &problems)
        }
        let product = SubscriptionProduct(
            id: node.required("id", path, &problems),
            groupID: groupID,
            level: node.text("level").flatMap { Int($0) } ?? 1,
            period: node.duration("period", path, &problems),
            introductoryOffer: introductory,
            promotionalOffers: offers,
            prices: node.prices("prices"),
            monthlyPlan: node["monthlyPlan"].map { SubscriptionProduct.MonthlyPlan($0, path: "\(path).monthlyPlan", &problems) }
        )
        self.init(product, winBackLinks: Self.winBackLinks(node, path, &problems))
    }

    private static func winBackLinks(_ node: ConfigurationNode, _ path: String, _ problems: inout [String]) -> [String: String] {
        var links: [String: String] = [:]
        for (index, offer) in node.list("winBackOffers").enumerated() {
            guard let link = offer.text("link") else { continue }
            if !OfferLink.isValid(link) {
                problems.append("\(path).winBackOffers[\(index)].link: must be a URL that begins with https://")
            }
            links[offer.required("id", "\(path).winBackOffers[\(index)]", &problems)] = link
        }
        return links
    }
}

extension SubscriptionProduct.MonthlyPlan {
    fileprivate init(_ node: ConfigurationNode, path: String, _ problems: inout [String]) {
        let introductory = node["introductoryOffer"].map {
            SubscriptionOffer($0, on: .monthly, path: "\(path).introductoryOffer", &problems)
        }
        self.init(introductoryOffer: introductory, prices: node.prices("prices"))
    }
}

extension SubscriptionOffer {
    /// - Parameter plan: the billing plan; nil if the offer names it itself.
    fileprivate init(_ node: ConfigurationNode, on plan: BillingPlan? = nil, path: String, _ problems: inout [String]) {
        let kind = node.required("kind", path, &problems)
        self.init(
            kind: OfferKind(rawValue: kind) ?? .payAsYouGo,
            period: node.duration("period", path, &problems),
            limits: node["limits"].flatMap { OfferLimits($0, path: "\(path).limits", &problems) },
            prices: node.prices("prices"),
            billingPlan: plan ?? node.text("billingPlan").flatMap { BillingPlan(rawValue: $0) } ?? .upfront
        )
    }
}

extension OfferLimits {
    /// Reads the limits of an offer; nil if the offer has none.
    fileprivate init?(_ node: ConfigurationNode, path: String, _ problems: inout [String]) {
        let period = { (key: String, problems: inout [String]) -> CalendarPeriod? in
            guard let text = node.text(key) else { return nil }
            let period = CalendarPeriod(text)
            if period == nil { problems.append("\(path).\(key): must be an ISO 8601 duration such as P90D, P1M or P1Y") }
            return period
        }
        self.init(
            perCustomer: node.text("perCustomer").flatMap { Int($0) }, per: period("per", &problems),
            cooldown: period("cooldown", &problems), notWhileActive: node.text("notWhileActive") == "true",
            outstanding: node.text("outstanding").flatMap { Int($0) }, total: node.text("total").flatMap { Int($0) },
            countsRefunded: node.text("countRefunded") != "false")
        if node.text("per") != nil, perCustomer == nil { problems.append("\(path).per: needs perCustomer") }
        let countsRedemptions = perCustomer != nil || cooldown != nil || total != nil
        if node.text("countRefunded") != nil, !countsRedemptions {
            problems.append("\(path).countRefunded: needs perCustomer, cooldown or total")
        }
        if isEmpty { return nil }
    }
}

extension ConfigurationNode {
    /// Returns the shared secret, from its file or from the configuration itself.
    fileprivate func sharedSecret(_ path: String, _ problems: inout [String]) -> String? {
        let secret = text("sharedSecret")
        guard let file = text("sharedSecretFile") else { return secret }
        if secret != nil { problems.append("\(path): sharedSecret and sharedSecretFile: give one of the two") }
        guard TextFile.exists(file) else {
            problems.append("\(path).sharedSecretFile: \(file) does not exist")
            return nil
        }
        guard let text = try? TextFile.read(file).trimmed, !text.isEmpty else {
            problems.append("\(path).sharedSecretFile: \(file) cannot be read, or is empty")
            return nil
        }
        return text
    }

    fileprivate func required(_ key: String, _ path: String, _ problems: inout [String]) -> String {
        guard let text = text(key) else {
            problems.append("\(path).\(key): is missing")
            return ""
        }
        // Requests must be able to name the id, and they refuse one that breaks these rules.
        if let fault = Identifier.fault(of: text) { problems.append("\(path).\(key): \(fault)") }
        return text
    }

    fileprivate func duration(_ key: String, _ path: String, _ problems: inout [String]) -> String {
        let text = required(key, path, &problems)
        // App Store Connect has only periods of one number and one unit.
        if !text.isEmpty, text.wholeMatch(of: /P[1-9][0-9]*[DWMY]/) == nil {
            problems.append("\(path).\(key): must be an ISO 8601 duration such as P1W, P1M or P1Y")
        }
        return text
    }
}
