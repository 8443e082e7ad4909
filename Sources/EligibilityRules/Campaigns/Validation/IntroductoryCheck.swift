/// Checks what a variant decides about an introductory offer.
struct IntroductoryCheck {
    let offer: CampaignVariant.IntroductoryOffer
    let catalogue: Catalogue

    /// Adds findings about the decision of one variant.
    ///
    /// - Parameters:
    ///   - audience: the compiled audience; nil if the campaign admits every customer, or if the audience has faults.
    ///   - path: the path of the decision.
    func check(
        _ campaign: Campaign,
        _ audience: CompiledCondition?,
        at path: String,
        _ findings: inout [CampaignFinding]
    ) {
        if campaign.slot.placement.map(Campaign.isRetention) ?? false {
            findings.append(
                CampaignFinding(
                    path, .introductoryOfferNotTaken,
                    "The App Store asks about subscribers who are about to cancel, and they cannot get an introductory offer. Remove it."
                ))
        }
        guard let product = catalogue.product(offer.productID) else {
            return findings.append(.unknownProduct(offer.productID, at: path))
        }
        guard !product.introductoryOffers.isEmpty else {
            return findings.append(
                CampaignFinding(
                    path, .noIntroductoryOffer,
                    "The catalogue has no introductory offer of `\(product.id)`. Choose another product, or add the offer to the catalogue."
                ))
        }
        // Where the variant withholds the offer, the App Store gives it to the customers of the control.
        goal(campaign.design.goal, product.introductoryOffers, &findings)
        guard offer.isAllowed else { return }
        if !campaign.design.givesIntroductoryOfferAgain, let audience, isForUsers(audience, product) {
            findings.append(
                CampaignFinding(
                    path, .introductoryOfferUsed,
                    "The audience has only customers who have used an introductory offer of the group, so none of them gets it."
                        + " Say `introductory: {again: true}`, or change the audience.", severity: .warning))
        }
    }

    /// Adds a finding if the goal's window is over before the first paid period can begin.
    private func goal(_ goal: CampaignGoal, _ offers: [SubscriptionOffer], _ findings: inout [CampaignFinding]) {
        let trials = offers.filter { $0.kind == .freeTrial }.compactMap { CalendarPeriod($0.period) }
        guard goal.metric == .convertedToPaid, let trial = trials.max(by: { $0.approximateDays < $1.approximateDays }),
            goal.window.approximateDays <= trial.approximateDays
        else { return }
        findings.append(
            CampaignFinding(
                "goal.window", .invalidGoal,
                "`\(goal.window.text)` is over before the trial of `\(offer.productID)` (`\(trial.text)`) can be followed by a paid"
                    + " period. Give a longer window."))
    }

    /// Whether the audience has only customers who have used an introductory offer in the product's group.
    private func isForUsers(_ audience: CompiledCondition, _ product: SubscriptionProduct) -> Bool {
        let used = CompiledTest.Subject.fact(FactReference(fact: .introductoryUsed, group: ExactText(product.groupID)))
        let others = CompiledCondition.any([
            .test(CompiledTest(subject: used, test: .boolean(false))), .test(CompiledTest(subject: used, test: .exists(false))),
        ])
        return audience.excludes(others)
    }

    /// Adds findings about the campaign as a whole.
    static func checkAgain(_ campaign: Campaign, _ findings: inout [CampaignFinding]) {
        let design = campaign.design
        let gives = design.variants.contains { $0.introductoryOffer?.isAllowed ?? false }
        if design.givesIntroductoryOfferAgain, !gives {
            findings.append(
                CampaignFinding(
                    "introductory.again", .secondOfferUnused,
                    "No variant gives an introductory offer, so this changes nothing. Remove it, or let a variant give one.",
                    severity: .warning))
        }
        if design.givesIntroductoryOfferAgain, gives, campaign.limits != nil {
            findings.append(
                CampaignFinding(
                    "limits", .introductoryOfferUnlimited,
                    "The limits count promotional offers only. A customer can get the introductory offer again each time the audience admits them.",
                    severity: .warning))
        }
        if design.isIn(.introductoryOffers), design.unit == .originalTransaction {
            findings.append(
                CampaignFinding(
                    "unit", .neverSubscribedLeftOut,
                    "A customer who has bought nothing has no first purchase, so new customers take no part."
                        + " Use `customer` or `appTransaction`, unless the campaign is for former subscribers only.",
                    severity: .warning))
        }
    }
}
