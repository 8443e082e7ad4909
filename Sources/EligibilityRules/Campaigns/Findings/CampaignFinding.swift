/// An error or a warning about a campaign or segment: the field, what is wrong, and what to do.
public struct CampaignFinding: Hashable, Sendable {
    /// How serious a finding is.
    public enum Severity: String, Sendable, Comparable {
        /// The campaign or segment works, but perhaps not as intended.
        case warning
        /// The campaign or segment cannot be published.
        case error

        /// Orders warnings before errors.
        public static func < (left: Severity, right: Severity) -> Bool { left == .warning && right == .error }
    }

    /// The maximum length of an id or an attribute name, in bytes.
    static let nameLimit = 64

    /// The path of the field, as in `variants[1].offers[0].offerId`.
    public let path: String
    /// The kind of the finding.
    public let code: Code
    /// How serious it is.
    public let severity: Severity
    /// What is wrong with the value, followed by what to do.
    public let message: String

    init(_ path: String, _ code: Code, _ message: String, severity: Severity = .error) {
        self.path = path
        self.code = code
        self.severity = severity
        self.message = message
    }

    /// Returns an error that says why a field cannot be read.
    public static func unreadable(_ path: String, _ message: String) -> CampaignFinding {
        CampaignFinding(path, .unreadable, message)
    }

    static func unknownProduct(_ id: String, at path: String) -> CampaignFinding {
        CampaignFinding(
            "\(path).productId", .unknownProduct,
            "The catalogue has no product `\(id)`. Correct the id, or add it to the catalogue.")
    }

    static func tooLarge(at path: String) -> CampaignFinding {
        CampaignFinding(
            path, .tooLarge,
            "It has more than \(ConditionCompiler.maxCount) conditions, or nests groups deeper than \(ConditionCompiler.maxDepth),"
                + " segments included. Split it up.")
    }

    /// Returns a finding inside a segment as it is reported at the place that names the segment.
    func inside(segment id: String, at path: String) -> CampaignFinding {
        let isAboutSegment = code == .segmentCycle || code == .tooLarge
        return CampaignFinding(path, code, isAboutSegment ? message : "In segment `\(id)`: \(message)", severity: severity)
    }
}

extension CampaignFinding {
    /// The kind of a finding.
    ///
    /// The raw values are stable.
    public enum Code: String, Sendable, CaseIterable {
        case invalidID = "invalid-id"
        case invalidName = "invalid-name"
        case invalidHypothesis = "invalid-hypothesis"
        case invalidTag = "invalid-tag"
        case invalidPriority = "invalid-priority"
        case emptySchedule = "empty-schedule"
        case pastSchedule = "past-schedule"
        case invalidShare = "invalid-share"
        case nobodyAdmitted = "nobody-let-in"
        case invalidLimit = "invalid-limit"
        case noVariants = "no-variants"
        case duplicateVariant = "duplicate-variant"
        case reservedVariant = "reserved-variant"
        case invalidWeight = "invalid-weight"
        case weightsDoNotAddUp = "weights-do-not-add-up"
        case variantWithoutWeight = "variant-without-weight"
        case nothingOffered = "nothing-offered"
        case unknownProduct = "unknown-product"
        case unknownOffer = "unknown-offer"
        case offerOfAnotherProduct = "offer-of-another-product"
        case duplicateOffer = "duplicate-offer"
        case severalOffersOfOneProduct = "several-offers-of-one-product"
        case tooManyOffers = "too-many-offers"
        case impossibleVariant = "impossible-variant"
        case offerLimitTighter = "offer-limit-tighter"
        case noIntroductoryOffer = "no-introductory-offer"
        case introductoryOfferNotTaken = "introductory-offer-not-taken"
        case introductoryOfferUnlimited = "introductory-offer-unlimited"
        case introductoryOfferUsed = "introductory-offer-used"
        case secondOfferUnused = "second-offer-unused"
        case neverSubscribedLeftOut = "never-subscribed-left-out"
        case switchNotTaken = "switch-not-taken"
        case planNotInCatalogue = "plan-not-in-catalogue"
        case invalidLink = "invalid-link"
        case foreignLink = "foreign-link"
        case linkNotTaken = "link-not-taken"
        case missingMessage = "missing-message"
        case invalidMessage = "invalid-message"
        case messageNotTaken = "message-not-taken"
        case invalidGoal = "invalid-goal"
        case invalidSampleSize = "invalid-sample-size"
        case verdictUnlikely = "verdict-unlikely"
        case unknownFact = "unknown-fact"
        case groupMissing = "group-missing"
        case groupNotTaken = "group-not-taken"
        case unknownGroup = "unknown-group"
        case operatorDoesNotFit = "operator-does-not-fit"
        case wrongOperand = "wrong-operand"
        case unknownValue = "unknown-value"
        case emptyGroup = "empty-group"
        case tooLarge = "too-large"
        case unknownSegment = "unknown-segment"
        case segmentCycle = "segment-cycle"
        case deadCondition = "dead-condition"
        case exclusionGroupOverlap = "exclusion-group-overlap"
        case exclusionGroupUnit = "exclusion-group-unit"
        case samePriority = "same-priority"
        case shadowed
        case locked
        case unreadable
    }
}
