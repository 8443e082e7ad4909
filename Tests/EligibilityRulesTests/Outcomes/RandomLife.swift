import EligibilityRules
import TestRandomness

/// One customer's subscriptions under several original ids, Apple accounts and groups: upgraded, extended, refunded, in the grace
/// period or in billing retry. Day 0 is the first of `Month`.
struct RandomLife {
    private var random: SplitMix64
    let history: PurchaseHistory

    init(seed: UInt64) {
        random = SplitMix64(seed: seed)
        var chains: [PurchaseChain] = []
        let count = random.any(of: [1, 2, 2, 3])
        for number in 0..<count { chains.append(Self.chain("o\(number)", &random)) }
        history = PurchaseHistory(chains)
    }

    private static func chain(_ id: String, _ random: inout SplitMix64) -> PurchaseChain {
        var (day, transactions): (Int64, [PurchaseTransaction]) = (Int64(random.below(90)), [])
        for number in 0...random.below(4) {
            let length = random.any(of: [7, 30, 30, 365] as [Int64])
            transactions.append(period("\(id)-\(number)", day, length, &random))
            // The next one begins at its end, after a gap, or in its middle.
            day += random.any(of: [length, length, length + 9, length / 2])
        }
        let last = transactions.last!
        return PurchaseChain(
            originalID: id, groupID: random.any(of: ["main", "main", "main", "other", nil]),
            account: .init(appTransactionID: random.any(of: ["a", "a", "a", "b", nil])),
            beginning: .init(previousOriginalID: random.once(in: 12) ? "o0" : nil),
            environment: random.once(in: 12) ? .sandbox : .production, transactions: transactions,
            outlook: .init(renewal: random.once(in: 2) ? renewal(of: last, &random) : nil))
    }

    private static func period(_ id: String, _ day: Int64, _ length: Int64, _ random: inout SplitMix64) -> PurchaseTransaction {
        let stamp = Stamp(asOf: Month.start(1, day: day), source: .signedData)
        let revoked = random.once(in: 5) ? Revocation.revoked(at: Month.start(1, day: day + Int64(random.below(40)))) : .none
        return PurchaseTransaction(
            id: id, productID: random.any(of: ["monthly", "premium"]), purchasedAt: Month.start(1, day: day),
            ownership: random.any(of: [nil, .purchased, .purchased, .purchased, .familyShared, .assigned]),
            course: .init(isUpgraded: random.once(in: 8), isRenewal: random.once(in: 2), sharesPeriod: random.once(in: 12)),
            state: .init(
                expiry: random.once(in: 20) ? nil : Stamped(Month.start(1, day: day + length), stamp),
                revocation: Stamped(revoked, stamp)))
    }

    private static func renewal(of last: PurchaseTransaction, _ random: inout SplitMix64) -> Stamped<RenewalState> {
        let end = last.expiry?.value ?? last.purchasedAt
        let state = RenewalState(
            willRenew: random.any(of: [true, false, nil]), isInBillingRetry: random.any(of: [true, false, nil]),
            gracePeriodExpiresAt: random.once(in: 2) ? end.advanced(by: 16 * Month.day) : nil)
        return Stamped(state, Stamp(asOf: end.advanced(by: random.any(of: [-1, 1])), source: .signedData))
    }
}
