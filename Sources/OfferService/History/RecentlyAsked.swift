import EligibilityRules

/// Which subscriptions were asked about of late; forgets the older half when it is full or the time has come.
struct RecentlyAsked {
    private static let maxInHalf = 50_000

    private var newer: [ExactText: Instant] = [:]
    private var older: [ExactText: Instant] = [:]
    private var turnedAt = Instant(milliseconds: 0)

    /// Notes a question about a subscription; false if one was asked in the last so many ms.
    mutating func note(_ id: String, at now: Instant, notBefore pause: Int64) -> Bool {
        if newer.count >= Self.maxInHalf || now < turnedAt || now.milliseconds(since: turnedAt) > pause {
            (older, newer, turnedAt) = (newer, [:], now)
        }
        let id = ExactText(id)
        if let last = newer[id] ?? older[id], now >= last, now.milliseconds(since: last) < pause { return false }
        newer[id] = now
        return true
    }

    /// Takes back that a question was asked: it may be asked again after so many ms.
    ///
    /// - Parameter pause: that of `note`.
    mutating func takeBack(_ id: String, at now: Instant, notBefore pause: Int64, again delay: Int64) {
        newer[ExactText(id)] = now.advanced(by: min(delay, pause) - pause)
    }
}
