import EligibilityRules

extension DecisionTable {
    static let accounts = [
        DecisionRow(
            "new customer, whose Apple account had the free trial under another name", [], others: [Chain("o2").trial(1)],
            completeness: .none, .never,
            introductory: .ineligible(.appleAccountUsedIntroductoryOffer, by: "o2"), promotional: .ineligible(.neverSubscribed)),
        DecisionRow(
            "new customer, whose Apple account is subscribed under another name", [], others: [Chain("o2").periods(5...6)],
            completeness: .none, .never,
            introductory: .ineligible(.currentSubscriber, by: "o2-6"), promotional: .ineligible(.neverSubscribed)),
        DecisionRow(
            "new customer, whose Apple account was subscribed under another name without an introductory offer", [],
            others: [Chain("o2").periods(1...2)], completeness: .none, .never,
            introductory: .eligible(.newCustomer), promotional: .ineligible(.neverSubscribed)),
        DecisionRow(
            "new customer, whose Apple account shares a relative's subscription under another name", [],
            others: [Chain("o2").trial(1).shared], completeness: .none, .never,
            introductory: .eligible(.newCustomer), promotional: .ineligible(.neverSubscribed)),
        DecisionRow(
            "lapsed, and the Apple account had the free trial under another name", [Chain("o1").periods(1...2)],
            others: [Chain("o2").trial(1)], .expired, of: "monthly",
            introductory: .ineligible(.appleAccountUsedIntroductoryOffer, by: "o2"),
            promotional: .eligible(.lapsedSubscriber, by: "o1-2")),
        DecisionRow(
            "active, and the Apple account had the free trial under another name", [Chain("o1").periods(5...6)],
            others: [Chain("o2").trial(1)], .active, of: "monthly",
            introductory: .ineligible(.appleAccountUsedIntroductoryOffer, by: "o2"),
            promotional: .eligible(.activeSubscriber, by: "o1-6")),
        DecisionRow(
            "free trial used, and by the Apple account under another name, too", [Chain("o1").trial(1)],
            others: [Chain("o2").trial(1)], .expired, of: "monthly",
            introductory: .ineligible(.introductoryOfferUsed, by: "o1"),
            promotional: .eligible(.lapsedSubscriber, by: "o1")),
    ]
}
