/// Durations in Apple's words (`SubscriptionOfferDuration`, `subscriptionPeriod`).
enum ConnectPeriod {
    private static let words: [String: (count: Int64, unit: String)] = [
        "THREE_DAYS": (3, "D"), "ONE_WEEK": (1, "W"), "TWO_WEEKS": (2, "W"), "ONE_MONTH": (1, "M"), "TWO_MONTHS": (2, "M"),
        "THREE_MONTHS": (3, "M"), "SIX_MONTHS": (6, "M"), "ONE_YEAR": (1, "Y"),
    ]

    /// Returns a multiple of the duration in ISO 8601; nil for an unknown word.
    static func iso8601(_ word: String, times: Int64 = 1) -> String? {
        guard let (count, unit) = words[word], (1...100).contains(times) else { return nil }
        return "P\(count * times)\(unit)"
    }
}
