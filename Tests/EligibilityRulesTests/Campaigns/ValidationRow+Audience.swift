import EligibilityRules

extension ValidationRow {
    private static func audience(
        _ path: String,
        _ code: CampaignFinding.Code,
        as severity: CampaignFinding.Severity = .error,
        _ remedy: String,
        _ condition: Condition
    ) -> ValidationRow {
        ValidationRow(path, code, as: severity, remedy) { $0.audience = condition }
    }

    private static func test(_ fact: ConditionFact, _ comparison: ConditionOperator, _ value: ConditionValue) -> Condition {
        .test(ConditionTest(fact, group: fact.needsGroup ? "main" : nil, comparison, value))
    }

    /// What concerns the audience, as far as it can be read.
    static let audienceRows: [ValidationRow] =
        [
            audience(
                "audience.fact", .unknownFact, "Use one of: subscription.state",
                .test(ConditionTest(.fact("mood", group: nil), .is, 1))),
            audience("audience.attribute", .invalidName, "1 to 64", attribute("", .is, 1)),
            audience("audience.group", .groupMissing, "Name the group", .test(ConditionTest(.subscriptionState, .is, "active"))),
            audience(
                "audience.group", .groupNotTaken, "Leave the group out",
                .test(ConditionTest(.refundsCount, group: "main", .above, 1))),
            audience(
                "audience.not.group", .unknownGroup, "It has: `main`, `other`",
                .not(.test(ConditionTest(.subscriptionState, group: "gone", .is, "active")))),
            audience(
                "audience.all[1].above", .operatorDoesNotFit, "Use one of: is",
                .all([days(.below, 9), test(.environment, .above, 1)])),
            audience("audience.above", .wrongOperand, "Give a number", days(.above, "ten")),
            audience("audience.between", .wrongOperand, "two numbers", days(.between, [1, 2, 3])),
            audience("audience.oneOf", .wrongOperand, "list of texts, or of numbers", attribute("a", .oneOf, ["US", 1])),
            audience("audience.exists", .wrongOperand, "`true` or `false`", attribute("a", .exists, 1)),
            audience("audience.startsWith", .wrongOperand, "not empty", attribute("a", .startsWith, "")),
            audience("audience.versionAtLeast", .wrongOperand, "2.1.0", attribute("a", .versionAtLeast, "two")),
            audience("audience.before", .wrongOperand, "-P30D", attribute("a", .before, "tomorrow")),
            audience("audience.is", .wrongOperand, "a number", test(.refundsCount, .is, "one")),
            audience("audience.is", .unknownValue, "Use one of: never, active", state("lapsed")),
            audience("audience.oneOf[1]", .unknownValue, "Use one of", test(.subscriptionState, .oneOf, ["active", "Active"])),
            audience("audience.is", .unknownValue, "three capital letters", test(.subscriptionStorefront, .is, "US")),
            audience("audience.is", .unknownValue, as: .warning, "no such product", test(.subscriptionProductID, .is, "weekly")),
            audience("audience.is", .unknownValue, as: .warning, "in group `other`", test(.subscriptionProductID, .is, "news")),
            audience(
                "audience.not.contains", .unknownValue, as: .warning, "offer codes", .not(test(.offersRedeemed, .contains, "haf"))
            ),
            audience("audience.any[0].all", .emptyGroup, "Add one", .any([.all([]), state("active")])),
            audience("audience.all[499]", .tooLarge, "Split it up", .all((0..<600).map { _ in state("active") })),
            audience("audience.segment", .unknownSegment, "Save it first", .segment("missing")),
            audience("audience.segment", .unknownFact, "In segment `broken`", .segment("broken")),
            audience("audience.segment", .segmentCycle, "egg → hen → egg", .segment("egg")),
            audience("audience", .deadCondition, "Correct the segment", .segment("dead")),
            audience("audience.not", .deadCondition, as: .warning, "excludes no customer", .not(days(.below, 0))),
            audience("audience.not.not", .deadCondition, "No value meets this", .not(.not(days(.below, 0)))),
        ] + deadRows

    /// What no customer can match.
    private static let deadRows: [ValidationRow] = [
        ("audience", "more than 10; days since lapse in group main is less than 5", .all([days(.above, 10), days(.below, 5)])),
        ("audience", "contradict", .all([days(.above, 10), days(.below, 11)])),
        ("audience", "contradict", .all([days(.between, [1, 3]), .not(days(.oneOf, [1, 2, 3]))])),
        ("audience.oneOf", "", .test(ConditionTest(.attribute("a"), .oneOf, []))),
        ("audience", "No value meets this", days(.between, [90, 7])),
        ("audience", "contradict", .all([state("active"), state("expired")])),
        ("audience", "contradict", .all([state("active"), days(.above, 3)])),
        ("audience", "contradict", .all([state("never"), test(.subscriptionPaidPeriods, .above, 0)])),
        (
            "audience", "contradict",
            .all([test(.subscriptionWillRenew, .is, false), test(.subscriptionDaysUntilRenewal, .below, 7)])
        ),
        ("audience", "contradict", .all([test(.offersRedeemed, .contains, "half"), test(.offersRedeemedCount, .is, 0)])),
        ("audience", "contradict", .all([attribute("a", .exists, false), .not(attribute("a", .is, "US"))])),
        ("audience", "contradict", .all([attribute("a", .is, "US"), attribute("a", .above, 3)])),
        ("audience", "contradict", .all([attribute("a", .startsWith, "en"), attribute("a", .startsWith, "de")])),
        ("audience", "contradict", .all([attribute("a", .above, 3), attribute("a", .below, 3)])),
        ("audience", "contradict", .all([attribute("a", .versionAtLeast, "3"), .not(attribute("a", .versionAtLeast, "2.1"))])),
        ("audience", "contradict", .all([attribute("a", .after, "2026-05-01"), attribute("a", .before, "2026-05-01")])),
        ("audience.any[1]", "contradict", .any([state("active"), .all([days(.above, 10), days(.below, 5)])])),
        (
            "audience", "These conditions contradict",
            .all([
                .any([state("active"), state("expired")]), .not(state("active")), .not(state("expired")),
            ])
        ),
    ].map { path, remedy, condition in
        audience(
            path == "audience.oneOf" ? "audience" : path, .deadCondition, remedy.isEmpty ? "The list is empty" : remedy, condition
        )
    }
}
