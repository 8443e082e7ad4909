/// The times in which a customer had service from subscriptions.
struct ServiceTime {
    /// The longest gap between two periods, in ms, that does not count as an interruption.
    static let tolerance: Int64 = 3_600_000

    /// The times of service in ms since 1970, ordered by their start.
    ///
    /// The end is exclusive.
    private let spans: [(start: Int64, end: Int64)]

    /// Collects the periods that have begun.
    ///
    /// - Parameters:
    ///   - chains: the chains of one group.
    ///   - isOwn: true for periods that the customer bought, false for shared (Family Sharing) or assigned ones.
    init(of chains: [PurchaseChain], isOwn: Bool, at now: Instant) {
        var spans: [(start: Int64, end: Int64)] = []
        for chain in chains {
            let periods = chain.transactions.filter { $0.isOwn == isOwn && $0.expiry != nil && $0.hasBegun(by: now) }
            for (index, period) in periods.enumerated() {
                // A later period of the same subscription ends the previous one.
                let next = periods[(index + 1)...].first { $0.purchasedAt > period.purchasedAt }?.purchasedAt
                let end = [period.expiry?.value, period.revokedAt, next].compactMap(\.self).min()!
                spans.append((period.purchasedAt.milliseconds, end.milliseconds))
            }
        }
        self.spans = spans.sorted { $0 < $1 }
    }

    /// Returns the start of the last uninterrupted service that began at an instant or before; nil if there is none.
    func start(ofServiceAt instant: Instant) -> Instant? {
        for span in joined(tolerance: Self.tolerance).reversed() where span.start <= instant.milliseconds {
            return Instant(milliseconds: span.start)
        }
        return nil
    }

    /// Returns how long there was service until an instant, in ms.
    ///
    /// Where periods overlap, the time counts once.
    func length(until instant: Instant) -> Int64 {
        joined(tolerance: 0).reduce(0) { sum, span in
            let length = Instant(milliseconds: min(span.end, instant.milliseconds))
                .milliseconds(since: Instant(milliseconds: span.start))
            return sum &+ max(0, length)
        }
    }

    private func joined(tolerance: Int64) -> [(start: Int64, end: Int64)] {
        var joined: [(start: Int64, end: Int64)] = []
        for span in spans {
            if let last = joined.last, span.start <= Instant(milliseconds: last.end).advanced(by: tolerance).milliseconds {
                joined[joined.count - 1].end = max(last.end, span.end)
            } else {
                joined.append(span)
            }
        }
        return joined
    }
}
