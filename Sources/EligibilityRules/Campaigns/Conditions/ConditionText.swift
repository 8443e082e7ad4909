/// Writes conditions in plain words, for review before publication.
public enum ConditionText {
    /// Returns a condition as a phrase that follows "customers".
    ///
    /// - Parameter segments: the segments whose names and conditions are written out. Of any other segment, the id is written.
    public static func words(_ condition: Condition, segments: Segments = .none) -> String {
        let enclosed = { (part: Condition) -> String in Self.enclosed(part, segments) }
        return switch condition {
        case .test(let test): words(test)
        case .segment(let id): words(segment: id, segments[id])
        case .not(.test(let test)): "\(subject(test.subject)) \(denied(test))"
        case .not(.any(let parts)) where parts.count > 1: "none of these holds: \(parts.map(enclosed).joined(separator: ", or "))"
        case .not(let part): "it is known not to hold that \(enclosed(part))"
        case .all(let parts): parts.isEmpty ? "all customers" : parts.map(enclosed).joined(separator: ", and ")
        case .any(let parts): parts.isEmpty ? "no customer" : parts.map(enclosed).joined(separator: ", or ")
        }
    }

    /// Returns one test in words.
    public static func words(_ test: ConditionTest) -> String {
        "\(subject(test.subject)) \(comparison(test))"
    }

    /// Returns a tested value in words: prices as money, reasons for expiration by name.
    public static func words(_ value: ConditionValue?, of subject: ConditionTest.Subject) -> String {
        guard case .fact(let name, _) = subject, let fact = ConditionFact(rawValue: name) else { return words(value) }
        return switch value {
        case .number(let number): fact.words(for: number) ?? words(value)
        case .list(let list) where !list.isEmpty: list.map { words($0, of: subject) }.joined(separator: ", ")
        default: words(value)
        }
    }

    /// Returns a value in words; "not known" for nil.
    public static func words(_ value: ConditionValue?) -> String {
        switch value {
        case nil: "not known"
        case .text(let text): text
        case .number(let number): words(number)
        case .boolean(let isTrue): isTrue ? "yes" : "no"
        case .list(let list): list.isEmpty ? "nothing" : list.map { words($0) }.joined(separator: ", ")
        }
    }

    private static func words(_ number: Double) -> String {
        number.magnitude < 1e15 && Double(Int64(number)) == number ? String(Int64(number)) : String(number)
    }

    // Segments inside the segment are written as ids, because segments may refer to each other in a circle.
    private static func words(segment id: String, _ segment: Segment?) -> String {
        segment.map { "the customer is in “\($0.name)” (\(words($0.condition)))" } ?? "is in segment `\(id)`"
    }

    private static func enclosed(_ condition: Condition, _ segments: Segments) -> String {
        switch condition {
        case .all(let parts) where parts.count > 1, .any(let parts) where parts.count > 1:
            "(\(words(condition, segments: segments)))"
        default: words(condition, segments: segments)
        }
    }

    private static func subject(_ subject: ConditionTest.Subject) -> String {
        switch subject {
        case .attribute(let name): "attribute \(name) (not verified)"
        case .fact(let name, let group):
            (ConditionFact(rawValue: name)?.words ?? name) + (group.map { " in group \($0)" } ?? "")
        }
    }

    private static func comparison(_ test: ConditionTest) -> String {
        let operand = test.operand
        let value = words(operand, of: test.subject)
        switch test.comparison {
        case .is: return "is \(value)"
        case .oneOf: return "is one of \(value)"
        case .above: return "is more than \(value)"
        case .below: return "is less than \(value)"
        case .between:
            guard case .list(let bounds) = operand, bounds.count == 2 else { return "is between \(value)" }
            return "is between \(words(bounds[0], of: test.subject)) and \(words(bounds[1], of: test.subject))"
        case .exists: return operand == .boolean(false) ? "is not known" : "is known"
        case .startsWith: return "begins with \(value)"
        case .contains: return "includes \(value)"
        case .versionAtLeast: return "is version \(value) or later"
        case .before: return "is before \(operand.text.map(time) ?? value)"
        case .after: return "is after \(operand.text.map(time) ?? value)"
        }
    }

    /// Returns the phrase for a test that is known to fail.
    ///
    /// A customer whose value is unknown does not match the phrase.
    private static func denied(_ test: ConditionTest) -> String {
        let operand = test.operand
        let value = words(operand, of: test.subject)
        switch test.comparison {
        case .is: return "is not \(value)"
        case .oneOf: return "is none of \(value)"
        case .above: return "is at most \(value)"
        case .below: return "is at least \(value)"
        case .between:
            return comparison(test).replacing("is between", with: "is not between", maxReplacements: 1)
        case .exists: return operand == .boolean(false) ? "is known" : "is not known"
        case .startsWith: return "does not begin with \(value)"
        case .contains: return "does not include \(value)"
        case .versionAtLeast: return "is earlier than version \(value)"
        case .before: return "is not before \(operand.text.map(time) ?? value)"
        case .after: return "is not after \(operand.text.map(time) ?? value)"
        }
    }

    private static func time(_ text: String) -> String {
        switch ConditionTime(text) {
        case .ago(let period): "\(period.text) before now"
        case .ahead(let period): "\(period.text) from now"
        case .at, nil: text
        }
    }
}

extension ConditionFact {
    /// The meanings of Apple's `expirationIntent`; the first one is that of the value 1.
    public static let lapseReasons = [
        "cancelled", "billing error", "declined a price increase", "product not available", "other",
    ]

    /// Returns a number in words or as money; nil if its plain digits are good enough.
    func words(for number: Double) -> String? {
        switch self {
        case .subscriptionExpirationIntent:
            guard let place = Int(exactly: number - 1), Self.lapseReasons.indices.contains(place) else { return nil }
            return Self.lapseReasons[place]
        case .subscriptionPrice:
            guard let thousandths = Int(exactly: number), thousandths >= 0 else { return nil }
            let (whole, rest) = thousandths.quotientAndRemainder(dividingBy: 1000)
            let digits = "\(1000 + rest)".dropFirst()
            return "\(whole).\(digits.hasSuffix("0") ? digits.dropLast() : digits)"
        default: return nil
        }
    }

    /// The name for display.
    public var words: String {
        switch self {
        case .subscriptionState: "subscription state"
        case .subscriptionProductID: "product"
        case .subscriptionDaysSinceLapse: "days since lapse"
        case .subscriptionDaysUntilRenewal: "days until renewal"
        case .subscriptionDaysSubscribed: "days subscribed"
        case .subscriptionPaidPeriods: "periods paid"
        case .subscriptionWillRenew: "renewal is on"
        case .subscriptionExpirationIntent: "reason of the lapse (Apple's expirationIntent)"
        case .subscriptionStorefront: "storefront"
        case .subscriptionPrice: "price"
        case .subscriptionBillingPlan: "billing plan"
        case .introductoryUsed: "introductory offer used"
        case .offersRedeemed: "offers redeemed"
        case .offersRedeemedCount: "number of offers redeemed"
        case .offersDaysSinceLast: "days since an offer was last redeemed"
        case .refundsCount: "refunds"
        case .customerDaysSinceFirstPurchase: "days since first purchase"
        case .environment: "environment"
        }
    }
}
