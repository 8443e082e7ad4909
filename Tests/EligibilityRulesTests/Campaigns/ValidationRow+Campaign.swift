import EligibilityRules

extension ValidationRow {
    /// What concerns the campaign apart from its audience.
    static let campaignRows: [ValidationRow] = [
        ValidationRow("id", .invalidID, "small letters") { $0.id = "Spring Winback" },
        ValidationRow("placement", .invalidID, "small letters") { $0.slot.placement = "" },
        ValidationRow("exclusionGroup", .invalidID, "small letters") { $0.slot.exclusionGroup = "a--b" },
        ValidationRow("name", .invalidName, "1 to 200") { $0.name = "" },
        ValidationRow("name", .invalidName, "only spaces") { $0.name = " \u{a0}" },
        ValidationRow("hypothesis", .invalidHypothesis, "2000 at most") { $0.hypothesis = String(repeating: "x", count: 2001) },
        ValidationRow("hypothesis", .invalidHypothesis, "plain text") { $0.hypothesis = "half\twins" },
        ValidationRow("tags", .invalidTag, "10 at most") { $0.tags = (0...10).map { "t\($0)" } },
        ValidationRow("tags[1]", .invalidTag, "small letters") { $0.tags = ["spring", "Win Back"] },
        ValidationRow("tags[1]", .invalidTag, "twice") { $0.tags = ["spring", "spring"] },
        ValidationRow("priority", .invalidPriority, "a million") { $0.slot.priority = .max },
        ValidationRow("schedule.until", .emptySchedule, "later than the start") {
            $0.schedule = CampaignSchedule(from: now.advanced(by: 5), until: now.advanced(by: 5))
        },
        ValidationRow("schedule.until", .pastSchedule, "later end") { $0.schedule = CampaignSchedule(until: now) },
        ValidationRow("enrolment", .invalidShare, "500 is 5 %") { $0.design.enrolment = 10_001 },
        ValidationRow("holdout", .invalidShare, "500 is 5 %") { $0.design.holdout = -1 },
        ValidationRow("enrolment", .nobodyAdmitted, as: .warning, "Raise the share") { $0.design.enrolment = 0 },
        ValidationRow("holdout", .nobodyAdmitted, as: .warning, "Lower the share") { $0.design.holdout = 10_000 },
        ValidationRow("limits.total", .invalidLimit, "1 or more") { $0.limits = CampaignLimits(total: 0) },
        ValidationRow("limits.perCustomer", .invalidLimit, "1 or more") { $0.limits = CampaignLimits(perCustomer: 0) },
        ValidationRow("limits.per", .invalidLimit, "Give both") {
            $0.limits = CampaignLimits(per: CalendarPeriod("P1D"), total: 5)
        },
        ValidationRow("analysis.sampleSize", .invalidSampleSize, "Give 100 or more") {
            $0.design.analysis = .fixed(sampleSize: 99)
        },
        ValidationRow("analysis.sampleSize", .invalidSampleSize, "1000000000 at most") {
            $0.design.analysis = .fixed(sampleSize: .max)
        },
        ValidationRow("variants", .noVariants, "Add one") { $0.design.variants = [] },
        ValidationRow("variants[1].id", .duplicateVariant, "its own id") {
            $0.design.variants[1] = CampaignVariant(id: "control", weight: 5000, offers: [offer("half")])
        },
        ValidationRow("variants[1].name", .invalidName, "its own name") {
            $0.design.variants[1] = CampaignVariant(id: "half", name: "control", weight: 5000, offers: [offer("half")])
        },
        ValidationRow("variants[0].id", .reservedVariant, "another id") {
            $0.design.variants[0] = CampaignVariant(id: "holdout", weight: 5000)
        },
        ValidationRow("variants[0].weight", .invalidWeight, also: [.weightsDoNotAddUp], "5000 is 50 %") {
            $0.design.variants[0] = CampaignVariant(id: "control", weight: -5000)
        },
        ValidationRow("variants", .weightsDoNotAddUp, "4500 + 5000 is not 10000: the weights must add up to 100 %. Give the 500")
        {
            $0.design.variants[0] = CampaignVariant(id: "control", weight: 4500)
        },
        ValidationRow("variants[2].weight", .variantWithoutWeight, as: .warning, "remove it") {
            $0.design.variants.append(CampaignVariant(id: "late", weight: 0, offers: [offer("third")]))
        },
        ValidationRow("variants", .nothingOffered, as: .warning, "Let one") {
            $0.design.variants[1] = CampaignVariant(id: "half", weight: 5000)
        },
        ValidationRow("variants[1].offers[0].productId", .unknownProduct, "add it", giving(offer("half", of: "weekly"))),
        ValidationRow("variants[1].offers[0].offerId", .unknownOffer, "The product has: `few`", giving(offer("Half"))),
        ValidationRow(
            "variants[1].offers[0].offerId", .offerOfAnotherProduct, "offer of `yearly`, not of `monthly`", giving(offer("big"))),
        ValidationRow("variants[1].offers[1]", .duplicateOffer, "Remove one", giving(offer("half"), offer("half"))),
        ValidationRow(
            "variants[1].offers[1]", .severalOffersOfOneProduct, as: .warning, "gets the first one",
            giving(offer("half"), offer("third"))),
        ValidationRow("variants", .tooManyOffers, "Apple allows 10 for a product") { campaign in
            campaign.design.variants = (0..<11).map { index in
                CampaignVariant(id: "v\(index)", weight: index == 0 ? 5000 : 500, offers: [offer("n\(index)", of: "news")])
            }
        },
        ValidationRow("variants[1].offers", .tooManyOffers, also: [.missingMessage], "names one offer") {
            $0.slot.placement = "retention"
            giving(offer("half"), offer("big", of: "yearly"))(&$0)
        },
        ValidationRow("variants[1].message", .missingMessage, "retention messages") { $0.slot.placement = "retention" },
        ValidationRow("variants[1].message", .invalidMessage, "`hello` is not the id", showing("hello")),
        ValidationRow(
            "variants[1].message", .invalidMessage, "Give the UUID", showing("0b8e4c5a-2f0b-4e0e-9e59-1f2c3d4e5f6g")),
        ValidationRow("variants[1].message", .messageNotTaken, "Remove the text") {
            showing("0b8e4c5a-2f0b-4e0e-9e59-1f2c3d4e5f60")(&$0)
            $0.slot.placement = nil
        },
        ValidationRow("variants[1].switchTo", .switchNotTaken, "Remove it") {
            $0.design.variants[1] = CampaignVariant(id: "half", weight: 5000, switchTo: .init(productID: "yearly"))
        },
        ValidationRow("variants[1].switchTo", .switchNotTaken, "not both") {
            showing("0b8e4c5a-2f0b-4e0e-9e59-1f2c3d4e5f60")(&$0)
            $0.design.variants[1] = CampaignVariant(
                id: "half", weight: 5000, offers: [offer("half")], switchTo: .init(productID: "yearly", billingPlan: .upfront),
                message: $0.design.variants[1].message)
        },
        ValidationRow("variants[1].switchTo.productId", .unknownProduct, "add it to the catalogue") {
            showing("0b8e4c5a-2f0b-4e0e-9e59-1f2c3d4e5f60")(&$0)
            $0.design.variants[1] = CampaignVariant(
                id: "half", weight: 5000, switchTo: .init(productID: "weekly"), message: $0.design.variants[1].message)
        },
        ValidationRow("variants[1].message", .missingMessage, "another product") {
            $0.slot.placement = "retention"
            $0.design.variants[1] = CampaignVariant(id: "half", weight: 5000, switchTo: .init(productID: "yearly"))
        },
        ValidationRow("variants[1].switchTo.billingPlan", .planNotInCatalogue, as: .warning, "commit to twelve months") {
            showing("0b8e4c5a-2f0b-4e0e-9e59-1f2c3d4e5f60")(&$0)
            $0.design.variants[1] = CampaignVariant(
                id: "half", weight: 5000, switchTo: .init(productID: "yearly", billingPlan: .monthly),
                message: $0.design.variants[1].message)
        },
        ValidationRow("variants[1].link", .invalidLink, "begins with `https://`", linking("http://apps.apple.com/x")),
        ValidationRow("variants[1].link", .invalidLink, "at most 1000", linking("https://apps.apple.com/ö")),
        ValidationRow("variants[1].link", .foreignLink, as: .warning, "Check that", linking("https://apple.com/x")),
        ValidationRow(
            "variants[1].link", .foreignLink, as: .warning, "the Apple id 8, but this app has 7",
            linking("https://apps.apple.com/redeem?ctx=offercodes&id=8&code=X")),
        ValidationRow("variants[1].link", .linkNotTaken, "another", linking("https://apps.apple.com/x", at: "retention")),
        ValidationRow("variants[1].offers[0].offerId", .impossibleVariant, "Raise it", giving(offer("shut"))),
        ValidationRow("variants[1].offers[0].offerId", .impossibleVariant, "not for subscribers") {
            $0.audience = .test(ConditionTest(.subscriptionState, group: "main", .oneOf, ["active", "grace-period"]))
            giving(offer("lapsed"))(&$0)
        },
        ValidationRow("limits.total", .offerLimitTighter, as: .warning, "10 times", giving(offer("few"))),
        ValidationRow(
            "variants[1].introductoryOffer.productId", .unknownProduct, "add it to the catalogue", trying(trial("weekly"))),
        ValidationRow(
            "variants[1].introductoryOffer", .noIntroductoryOffer, "Choose another product", trying(trial("monthly", false))),
        ValidationRow(
            "variants[1].introductoryOffer", .introductoryOfferNotTaken, "Remove it", trying { $0.slot.placement = "retention" }),
        ValidationRow(
            "variants[1].introductoryOffer", .introductoryOfferUsed, as: .warning, "again: true",
            trying {
                $0.audience = .test(ConditionTest(.introductoryUsed, group: "main", .is, true))
            }),
        ValidationRow(
            "introductory.again", .secondOfferUnused, as: .warning, "let a variant give one",
            trying(trial("yearly", false)) {
                $0.design.givesIntroductoryOfferAgain = true
            }),
        ValidationRow(
            "limits", .introductoryOfferUnlimited, as: .warning, "promotional offers only",
            trying {
                $0.design.givesIntroductoryOfferAgain = true
                $0.limits = CampaignLimits(perCustomer: 1)
            }),
        ValidationRow(
            "unit", .neverSubscribedLeftOut, as: .warning, "Use `customer`",
            trying {
                $0.design.unit = .originalTransaction
            }),
        ValidationRow(
            "goal.window", .invalidGoal, "Give a longer window",
            trying {
                $0.design.goal = CampaignGoal(metric: .convertedToPaid, window: CalendarPeriod("P7D")!)
            }),
        ValidationRow("goal.metric", .invalidGoal, "Use `subscribed`") { $0.design.goal = CampaignGoal(metric: .redeemed) },
        ValidationRow("goal.expected", .invalidGoal, "0.1 is 10 %") { $0.design.goal = CampaignGoal(expected: 10) },
        ValidationRow("goal.detect", .invalidGoal, "0.1 is 10 %") { $0.design.goal = CampaignGoal(detect: .nan) },
        ValidationRow("goal.detect", .invalidGoal, "smaller difference") {
            $0.design.goal = CampaignGoal(expected: 0.9, detect: 0.2)
        },
    ]
}
