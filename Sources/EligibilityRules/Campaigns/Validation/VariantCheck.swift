/// Checks the offers of a campaign's variants: whether they exist, and whether a customer can get them.
struct VariantCheck {
    /// The most promotional offers of a product that can be active in App Store Connect.
    private static let maxActiveOffers = 10
    /// The most offers that one request can have signed.
    private static let maxSigned = 20

    let catalogue: Catalogue

    /// Adds findings about the offers and messages of all variants.
    ///
    /// - Parameter audience: the compiled audience; nil if the campaign admits every customer, or if the audience has faults.
    func check(_ campaign: Campaign, audience: CompiledCondition?, _ findings: inout [CampaignFinding]) {
        for (index, variant) in campaign.design.variants.enumerated() {
            let path = "variants[\(index)]"
            if variant.weight == 0 {
                findings.append(
                    CampaignFinding(
                        "\(path).weight", .variantWithoutWeight,
                        "No customer gets a variant with weight 0. Give it a share, or remove it.",
                        severity: .warning))
            }
            let isRetention = campaign.slot.placement.map(Campaign.isRetention) ?? false
            count(variant, at: path, isRetention: isRetention, &findings)
            message(variant, at: path, isRetention: isRetention, &findings)
            if let other = variant.switchTo {
                self.switchTo(other, variant, at: "\(path).switchTo", isRetention: isRetention, &findings)
            }
            if let link = variant.link { self.link(link, at: "\(path).link", isRetention: isRetention, &findings) }
            for (place, offer) in variant.offers.enumerated() {
                self.offer(offer, at: "\(path).offers[\(place)]", campaign, audience, &findings)
                if variant.offers[..<place].contains(offer) {
                    findings.append(
                        CampaignFinding(
                            "\(path).offers[\(place)]", .duplicateOffer, "The variant has this offer already. Remove one."))
                }
            }
            products(variant, at: path, &findings)
            if let offer = variant.introductoryOffer {
                IntroductoryCheck(offer: offer, catalogue: catalogue).check(
                    campaign, audience, at: "\(path).introductoryOffer", &findings)
            }
        }
        IntroductoryCheck.checkAgain(campaign, &findings)
        if !campaign.design.variants.isEmpty, campaign.design.variants.allSatisfy(\.isControl) {
            findings.append(
                CampaignFinding(
                    "variants", .nothingOffered, "No variant gives or withholds an offer. Let one do so.", severity: .warning))
        }
        let byProduct = Dictionary(grouping: Set(campaign.design.variants.flatMap(\.offers)), by: { ExactText($0.productID) })
        for (product, offers) in byProduct.sorted(by: { $0.key < $1.key }) where offers.count > Self.maxActiveOffers {
            findings.append(
                CampaignFinding(
                    "variants", .tooManyOffers,
                    "\(offers.count) offers of `\(product.string)`: Apple allows \(Self.maxActiveOffers) for a product at a time. Use fewer."
                ))
        }
    }

    private func count(_ variant: CampaignVariant, at path: String, isRetention: Bool, _ findings: inout [CampaignFinding]) {
        let max = isRetention ? 1 : Self.maxSigned
        guard variant.offers.count > max else { return }
        let who = isRetention ? "An answer to the App Store names one offer" : "One request signs up to \(max) offers"
        findings.append(
            CampaignFinding("\(path).offers", .tooManyOffers, "\(who). There are \(variant.offers.count): use fewer."))
    }

    private func message(_ variant: CampaignVariant, at path: String, isRetention: Bool, _ findings: inout [CampaignFinding]) {
        guard let message = variant.message else {
            guard isRetention, !variant.offers.isEmpty || variant.switchTo != nil else { return }
            return findings.append(
                CampaignFinding(
                    "\(path).message", .missingMessage,
                    "The App Store shows an offer, or another product, with a text. Give the id of an uploaded text: `offersigner retention messages`."
                ))
        }
        guard isRetention else {
            return findings.append(
                CampaignFinding(
                    "\(path).message", .messageNotTaken,
                    "Only the App Store shows texts, in campaigns for the placement `\(Campaign.retentionPlacement)`. Remove the text."
                ))
        }
        guard !Self.isUUID(message) else { return }
        findings.append(
            CampaignFinding(
                "\(path).message", .invalidMessage,
                "`\(message)` is not the id of a text. Give the UUID of an uploaded text: `offersigner retention messages`."))
    }

    private func switchTo(
        _ other: CampaignVariant.Switch,
        _ variant: CampaignVariant,
        at path: String,
        isRetention: Bool,
        _ findings: inout [CampaignFinding]
    ) {
        if !isRetention {
            findings.append(
                CampaignFinding(
                    path, .switchNotTaken,
                    "Only the App Store proposes another product, in campaigns for the placement `\(Campaign.retentionPlacement)`. Remove it."
                ))
        } else if !variant.offers.isEmpty {
            findings.append(
                CampaignFinding(
                    path, .switchNotTaken,
                    "An answer to the App Store names an offer or another product, not both. Remove one of the two."))
        }
        guard let product = catalogue.product(other.productID) else {
            return findings.append(.unknownProduct(other.productID, at: path))
        }
        if other.billingPlan == .monthly, product.monthlyPlan == nil {
            findings.append(
                CampaignFinding(
                    "\(path).billingPlan", .planNotInCatalogue,
                    "The catalogue has no `monthlyPlan` of `\(product.id)`. Check that customers can commit to twelve months.",
                    severity: .warning))
        }
    }

    private func link(_ link: String, at path: String, isRetention: Bool, _ findings: inout [CampaignFinding]) {
        if !OfferLink.isValid(link) {
            findings.append(
                CampaignFinding(
                    path, .invalidLink,
                    "`\(link)` is not a link. Give a URL that begins with `https://` and has at most \(OfferLink.maxLength) characters."
                )
            )
        } else if !link.hasPrefix(OfferLink.home) {
            findings.append(
                CampaignFinding(
                    path, .foreignLink,
                    "The App Store's links begin with `\(OfferLink.home)`. Check that this one gives the offer.",
                    severity: .warning))
        } else if let own = catalogue.appAppleID, let other = OfferLink.appAppleID(of: link), other != own {
            findings.append(
                CampaignFinding(
                    path, .foreignLink,
                    "The link is for the app with the Apple id \(other), but this app has \(own). Check that it gives the offer.",
                    severity: .warning))
        }
        if isRetention {
            findings.append(
                CampaignFinding(
                    path, .linkNotTaken,
                    "An answer to the App Store has no link. Remove it, or choose another placement."))
        }
    }

    /// Whether a text is 32 hexadecimal digits, with hyphens in the right places.
    private static func isUUID(_ text: String) -> Bool {
        text.utf8.count == 36
            && text.utf8.enumerated().allSatisfy { place, byte in
                if [8, 13, 18, 23].contains(place) { return byte == 0x2D }
                return (0x30...0x39).contains(byte) || (0x41...0x46).contains(byte & 0xDF)
            }
    }

    private func products(_ variant: CampaignVariant, at path: String, _ findings: inout [CampaignFinding]) {
        var products: Set<ExactText> = []
        for (place, offer) in variant.offers.enumerated() where !products.insert(ExactText(offer.productID)).inserted {
            guard !variant.offers[..<place].contains(offer) else { continue }
            findings.append(
                CampaignFinding(
                    "\(path).offers[\(place)]", .severalOffersOfOneProduct,
                    "The variant has another offer of `\(offer.productID)`. A request without an offer id gets the first one.",
                    severity: .warning))
        }
    }

    private func offer(
        _ offer: CampaignVariant.Offer,
        at path: String,
        _ campaign: Campaign,
        _ audience: CompiledCondition?,
        _ findings: inout [CampaignFinding]
    ) {
        guard let product = catalogue.product(offer.productID) else {
            return findings.append(.unknownProduct(offer.productID, at: path))
        }
        guard let found = product.promotionalOffers[ExactText(offer.offerID)] else {
            let owners = catalogue.sorted.filter { $0.promotionalOffers[ExactText(offer.offerID)] != nil }.map { "`\($0.id)`" }
            let own = product.promotionalOfferIDs.map { "`\($0)`" }
            let remedy = own.isEmpty ? "The product has none." : "The product has: \(own.joined(separator: ", "))."
            findings.append(
                owners.isEmpty
                    ? CampaignFinding(
                        "\(path).offerId", .unknownOffer, "The catalogue has no promotional offer `\(offer.offerID)`. \(remedy)")
                    : CampaignFinding(
                        "\(path).offerId", .offerOfAnotherProduct,
                        "`\(offer.offerID)` is an offer of \(owners.joined(separator: ", ")), not of `\(product.id)`. \(remedy)"))
            return
        }
        if let limits = found.limits {
            LimitCheck(limits: limits, product: product, offerID: offer.offerID).check(campaign, audience, at: path, &findings)
        }
    }
}

/// Checks whether an offer's own limits prevent a campaign from giving it as intended.
struct LimitCheck {
    let limits: OfferLimits
    let product: SubscriptionProduct
    let offerID: String

    /// Adds findings about one offer of the campaign.
    ///
    /// - Parameters:
    ///   - audience: the compiled audience; nil if the campaign admits every customer, or if the audience has faults.
    ///   - path: the path of the offer.
    func check(_ campaign: Campaign, _ audience: CompiledCondition?, at path: String, _ findings: inout [CampaignFinding]) {
        let zero = [(limits.perCustomer, "perCustomer"), (limits.outstanding, "outstanding"), (limits.total, "total")]
        for (value, name) in zero where value.map({ $0 < 1 }) ?? false {
            findings.append(
                CampaignFinding(
                    "\(path).offerId", .impossibleVariant,
                    "The catalogue's `limits.\(name)` of `\(offerID)` is \(value!), so no customer gets it. Raise it, or use another offer."
                ))
        }
        if limits.notWhileActive, let audience, isForSubscribersOnly(audience) {
            findings.append(
                CampaignFinding(
                    "\(path).offerId", .impossibleVariant,
                    "`\(offerID)` is not for subscribers (`notWhileActive`), but the audience has only subscribers in group"
                        + " `\(product.groupID)`. Change one of the two."))
        }
        guard let own = campaign.limits else { return }
        let pairs = [
            (own.total, limits.total, "limits.total"),
            (own.per == limits.per ? own.perCustomer : nil, limits.perCustomer, "limits.perCustomer"),
        ]
        for case (let wanted?, let allowed?, let path) in pairs where allowed < wanted && allowed > 0 {
            findings.append(
                CampaignFinding(
                    path, .offerLimitTighter,
                    "The catalogue allows `\(offerID)` \(allowed) times, so \(wanted) are never reached. Lower this, or raise the catalogue's limit.",
                    severity: .warning))
        }
    }

    /// Whether the audience has only customers who are subscribed in the product's group.
    private func isForSubscribersOnly(_ audience: CompiledCondition) -> Bool {
        let state = CompiledTest.Subject.fact(FactReference(fact: .subscriptionState, group: ExactText(product.groupID)))
        let ended = SubscriptionState.allCases.filter { !$0.isCurrent }.map { ExactText($0.rawValue) }
        // A customer whose state is unknown may also be one whose subscription has ended.
        let others = CompiledCondition.any([
            .test(CompiledTest(subject: state, test: .text(.oneOf(ended)))),
            .test(CompiledTest(subject: state, test: .exists(false))),
        ])
        return audience.excludes(others)
    }
}
