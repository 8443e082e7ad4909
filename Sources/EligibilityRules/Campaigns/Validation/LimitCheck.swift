/// Checks what an offer's own limits leave of a campaign.
struct LimitCheck {
    let limits: OfferLimits
    let product: SubscriptionProduct
    let offerID: String

    /// - Parameters:
    ///   - audience: nil where every customer fits, or it cannot be read.
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

    /// Whether only subscribers in the product's group can match.
    private func isForSubscribersOnly(_ audience: CompiledCondition) -> Bool {
        let state = CompiledTest.Subject.fact(FactReference(fact: .subscriptionState, group: ExactText(product.groupID)))
        let ended = SubscriptionState.allCases.filter { !$0.isCurrent }.map { ExactText($0.rawValue) }
        // An unknown state may be one that has ended.
        let others = CompiledCondition.any([
            .test(CompiledTest(subject: state, test: .text(.oneOf(ended)))),
            .test(CompiledTest(subject: state, test: .exists(false))),
        ])
        return audience.excludes(others)
    }
}
