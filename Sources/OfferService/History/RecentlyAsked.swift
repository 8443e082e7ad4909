import EligibilityRules

/// The subscriptions that were asked about lately. The older half is forgotten when the newer one is full, or after a pause.
struct RecentlyAsked {
    private static let maxInHalf = 50_000

    private var newer: [ExactText: Instant] = [:]
    private var older: [ExactText: Instant] = [:]
    private var turnedAt = Instant(milliseconds: 0)

    /// Records a question about a subscription. Returns false if one was asked in the last `pause` ms.
    mutating func note(_ id: String, at now: Instant, notBefore pause: Int64) -> Bool {
        if newer.count >= Self.maxInHalf || now < turnedAt || now.milliseconds(since: turnedAt) > pause {
            (older, newer, turnedAt) = (newer, [:], now)
        }
        let id = ExactText(id)
        if let last = newer[id] ?? older[id], now >= last, now.milliseconds(since: last) < pause { return false }
        newer[id] = now
        return true
    }

    /// Withdraws a question: it may be asked again after `delay` ms.
    ///
    /// - Parameter pause: that of `note`.
    mutating func withdraw(_ id: String, at now: Instant, notBefore pause: Int64, again delay: Int64) {
        newer[ExactText(id)] = now.advanced(by: min(delay, pause) - pause)
    }
}
