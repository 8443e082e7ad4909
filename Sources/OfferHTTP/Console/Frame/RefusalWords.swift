import EligibilityRules

/// Describes the reasons of refusals in the words of marketing.
enum RefusalWords {
    private static let words: [Reason: String] = [
        .neverSubscribed: "Never subscribed to this app", .familySharedOnly: "Only shared by the family",
        .assignedSeatOnly: "Only a seat that another person paid for", .noHistory: "Purchase history not known",
        .customerNotNamed: "The request does not say who it is for", .incompleteHistory: "Purchase history incomplete",
        .unknownProduct: "Product of an unknown group in the history",
        .noIntroductoryOffer: "No introductory offer in the catalogue",
        .noPromotionalOffer: "Offer not in the catalogue", .sandboxHistory: "Purchase history is from the sandbox",
        .renewalUnconfirmed: "Not known whether the subscription renewed",
        .unrecognisedValue: "Unknown value from the App Store", .introductoryOfferUsed: "Introductory offer used before",
        .currentSubscriber: "Subscribed at present",
        .noCampaignOffer: "No campaign has an offer for them",
        .purchasesInXcode: "Purchases in Xcode are not known",
        .catalogueGroupDiffers: "Another group in the catalogue than at the App Store",
    ]

    /// Returns the words for a reason's code.
    ///
    /// The page shows the code beside them.
    static func text(of code: String) -> String {
        guard let reason = Reason.allCases.first(where: { $0.code == code }) else { return "Another reason" }
        return words[reason] ?? "\(reason.message)"
    }
}
