import EligibilityRules
import OfferStoreTesting
import TestRandomness
import Testing

@testable import OfferStore

@Suite("Chain records")
struct ChainRecordTests {
    /// Ten thousand cases in ten parts.
    private static let parts = (0..<10 as Range<UInt64>).map { part -> Range<UInt64> in part * 1000..<part * 1000 + 1000 }

    private func read(_ bytes: [UInt8]) throws -> PurchaseChain {
        try bytes.withUnsafeBytes { try ChainRecord.chain(originalID: "1", bytes: $0) }
    }

    @Test("Any chain comes back as it went in", arguments: parts)
    func roundTrip(seeds: Range<UInt64>) throws {
        for seed in seeds {
            var chains = RandomChains(seed: seed, instants: .extreme)
            let chain = chains.next()
            let bytes = ChainRecord.bytes(of: chain)
            let back = try read(bytes)
            // Equality alone would let one canonically equivalent text pass for another.
            guard back == chain, ChainRecord.bytes(of: back) == bytes else {
                Issue.record("seed \(seed): \(back) is not \(chain)")
                return
            }
        }
    }

    @Test("Every optional value is there and not there in the random chains, and every extreme occurs")
    func reach() {
        var present: Set<String> = []
        var instants: Set<Int64> = []
        for seed in 0..<1000 as Range<UInt64> {
            var chains = RandomChains(seed: seed, instants: .extreme)
            let chain = chains.next()
            func note(_ name: String, _ value: Any?) { present.insert("\(name) \(value == nil ? "absent" : "present")") }
            note("firstPurchase", chain.originallyPurchasedAt)
            note("group", chain.groupID)
            note("token", chain.appAccountToken)
            note("environment", chain.environment)
            note("renewal", chain.renewal)
            note("winBack", chain.winBackOffers)
            note("grace", chain.renewal?.value.gracePeriodExpiresAt)
            note("copies", chain.hasCopies ? true : nil)
            for transaction in chain.statements {
                note("kind", transaction.kind)
                note("ownership", transaction.ownership)
                note("offer", transaction.offer)
                note("offerID", transaction.offer?.id)
                note("expiry", transaction.expiry)
                note("revocation", transaction.revocation)
                note("revoked", transaction.revocation?.value.instant)
                note("cancellation", transaction.cancellation)
                note("reversal", transaction.reversal)
                note("lineItem", transaction.lineItemID)
                note("lineItemNumber", transaction.lineItemID.flatMap { UInt64($0) })
                note("number", UInt64(transaction.id))
                instants.insert(transaction.purchasedAt.milliseconds)
            }
        }
        #expect(present.count == 40)
        #expect(instants.isSuperset(of: [.min, .min + 1, -1, 0, 1, .max - 1, .max]))
    }

    @Test("A year of a monthly subscription takes less than 900 bytes, a single period less than 120")
    func size() {
        let token = "7e3fb20b-4cdb-47cc-936d-99d65f608138"
        var chain = PurchaseChain.sample("2000000666265459", periods: 0..<12, token: token)
        for period in 0..<12 {
            // Every period as its own notification tells it.
            let asOf = Instant.hours(Int64(period) * 720 + 1)
            chain = chain.merged(
                with: .sample("2000000666265459", periods: period..<period + 1, token: token, asOf: asOf))
        }
        chain.renewal = Stamped(
            RenewalState(willRenew: true, nextProductID: "pro.monthly", isInBillingRetry: false),
            Stamp(asOf: .hours(11 * 720 + 1), source: .signedData))
        #expect(ChainRecord.bytes(of: chain).count < 900)
        #expect(ChainRecord.bytes(of: .sample("2000000666265459", token: token)).count < 120)
    }

    @Test("No part of a record passes for a whole one, nor does one with something after it")
    func truncation() {
        for seed in 0..<60 as Range<UInt64> {
            var chains = RandomChains(seed: seed, instants: .extreme)
            let bytes = ChainRecord.bytes(of: chains.next())
            let whole = bytes.indices.filter { (try? read(Array(bytes[..<$0]))) != nil }
            #expect(whole.isEmpty, "seed \(seed)")
            #expect(throws: ByteReader.Damaged.self) { try read(bytes + [0]) }
        }
    }

    @Test("A record with any bytes changed is damaged or is read as some chain", arguments: parts)
    func damage(seeds: Range<UInt64>) {
        var refused = 0
        for seed in seeds {
            var chains = RandomChains(seed: seed, instants: .extreme)
            let bytes = ChainRecord.bytes(of: chains.next())
            for _ in 0..<10 {
                var changed = bytes
                for _ in 0...chains.random.below(3) {
                    let position = chains.random.below(changed.count)
                    changed[position] = UInt8(truncatingIfNeeded: chains.random.next())
                }
                do { _ = ChainRecord.bytes(of: try read(changed)) } catch { refused += 1 }
            }
        }
        #expect(refused > 1000)
    }

    @Test("Noise, and a record of another version, are refused")
    func noise() throws {
        var random = SplitMix64(seed: 1)
        for _ in 0..<10_000 {
            var bytes = (0..<random.below(80)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            if random.below(2) == 0 { bytes.insert(ChainRecord.version, at: 0) }
            _ = try? read(bytes)
        }
        var bytes = ChainRecord.bytes(of: .sample("1"))
        bytes[0] = ChainRecord.version + 1
        #expect(throws: ByteReader.Damaged.self) { try read(bytes) }
        #expect(throws: ByteReader.Damaged.self) { try read([]) }
    }

    @Test("A count that promises more than there are bytes reserves no memory for it")
    func promises() {
        // Version, then as many texts as UInt64 can say; then one text, as long.
        let most: [UInt8] = Array(repeating: 0xFF, count: 9) + [0x01]
        #expect(throws: ByteReader.Damaged.self) { try read([ChainRecord.version] + most) }
        #expect(throws: ByteReader.Damaged.self) { try read([ChainRecord.version, 1] + most) }
        #expect(throws: ByteReader.Damaged.self) { try read([ChainRecord.version, 0] + most) }
        #expect(throws: ByteReader.Damaged.self) { try read([ChainRecord.version, 0, 0, 0] + most) }
    }
}
