import Testing

@testable import EligibilityRules

@Suite("Bucketing of a campaign")
struct BucketingTests {
    private static func campaign(_ weights: [Int], enrolment: Int = 10_000, holdout: Int = 0) -> CompiledCampaign {
        let variants = weights.enumerated().map { CampaignVariant(id: "v\($0)", weight: $1) }
        let campaign = Campaign(
            id: "spring-winback", name: "Spring", bundleID: "b",
            design: CampaignDesign(enrolment: enrolment, holdout: holdout, variants: variants))
        return CompiledCampaign(CampaignRevision(campaign, number: 1))
    }

    @Test("Of a million units each variant gets its share, and so do those let in and those held out")
    func shares() {
        let (weights, count) = ([5000, 3000, 1500, 500], 1_000_000)
        let campaign = Self.campaign(weights, enrolment: 4000, holdout: 500)
        var assigned = [0, 0, 0, 0]
        var (heldOut, left) = (0, 0)
        for unit in 0..<count {
            switch campaign.allocation(ofUnit: "u-\(unit)") {
            case .heldOut: heldOut += 1
            case .assigned(let index): assigned[index] += 1
            case .passedOver: left += 1
            }
        }
        let isNear = { (found: Int, of: Int, share: Double) in
            let (expected, variance) = (Double(of) * share, Double(of) * share * (1 - share))
            return (Double(found) - expected) * (Double(found) - expected) <= 9 * variance
        }
        #expect(isNear(heldOut, count, 0.05), "\(heldOut)")
        #expect(isNear(count - heldOut - left, count - heldOut, 0.4), "\(left)")
        for (index, weight) in weights.enumerated() {
            #expect(isNear(assigned[index], count - heldOut - left, Double(weight) / 10_000), "\(assigned)")
        }
    }

    @Test("Where a unit falls for one purpose says nothing of where it falls for another")
    func independence() {
        let purposes = Bucket.Purpose.allCases
        for (first, second) in [(purposes[0], purposes[1]), (purposes[0], purposes[2]), (purposes[1], purposes[2])] {
            var counts = [Int](repeating: 0, count: 100)
            for unit in 0..<100_000 {
                let row = Bucket(campaignID: "spring-winback", purpose: first, unit: "u-\(unit)").number / 1000
                let column = Bucket(campaignID: "spring-winback", purpose: second, unit: "u-\(unit)").number / 1000
                counts[row * 10 + column] += 1
            }
            var rows = [Double](repeating: 0, count: 10)
            var columns = rows
            for (index, count) in counts.enumerated() {
                rows[index / 10] += Double(count)
                columns[index % 10] += Double(count)
            }
            var chiSquared = 0.0
            for (index, count) in counts.enumerated() {
                let expected = rows[index / 10] * columns[index % 10] / 100_000
                chiSquared += (Double(count) - expected) * (Double(count) - expected) / expected
            }
            // 81 degrees of freedom: below 125.8 in 999 of 1000 independent draws; the draw is fixed.
            #expect(chiSquared < 125.8, "\(first) and \(second): \(chiSquared)")
        }
    }

    @Test("A customer who is let in stays in the same variant while more are let in")
    func enrolment() {
        let steps = [100, 1000, 2500, 5000, 9999, 10_000].map { Self.campaign([3400, 3300, 3300], enrolment: $0, holdout: 500) }
        for unit in 0..<50_000 {
            var last: CampaignAllocation?
            for campaign in steps {
                let allocation = campaign.allocation(ofUnit: "u-\(unit)")
                if let last, last != .passedOver(.notEnrolled), allocation != last {
                    Issue.record("u-\(unit): \(last), then \(allocation)")
                    return
                }
                last = allocation
            }
            #expect(last != .passedOver(.notEnrolled))
        }
    }

    @Test("From 50 : 50 to 60 : 40 a tenth changes sides, and all in one direction")
    func weights() {
        let (before, after) = (Self.campaign([5000, 5000]), Self.campaign([6000, 4000]))
        var moved = 0
        let count = 200_000
        for unit in 0..<count {
            let (old, new) = (before.allocation(ofUnit: "u-\(unit)"), after.allocation(ofUnit: "u-\(unit)"))
            guard old != new else { continue }
            moved += 1
            if old != .assigned(1) || new != .assigned(0) { Issue.record("u-\(unit): \(old), then \(new)") }
        }
        #expect((0.098...0.102).contains(Double(moved) / Double(count)), "\(moved)")
    }

    @Test("A beginning that is worked out once gives the hash of the whole text", arguments: 0..<9)
    func prefix(length: Int) {
        let text = "spring:é:u-4"
        let index = text.index(text.startIndex, offsetBy: length)
        #expect(Murmur3Prefix(String(text[..<index])).hash(appending: String(text[index...])) == Murmur3.hash(text))
    }

    @Test("The unit is of the purchase that was made first, whatever comes later, and in this environment")
    func identity() {
        let chain = { (id: String, account: String?, month: Int, environment: PurchaseEnvironment) in
            var chain = PurchaseChain(
                originalID: id,
                transactions: [PurchaseTransaction(id: id, productID: "monthly", purchasedAt: Month.start(month))])
            chain.appTransactionID = account
            chain.environment = environment
            return chain
        }
        let chains = [
            chain("9", nil, 2, .production), chain("5", "70b", 3, .production), chain("4", "70a", 4, .production),
            chain("1", "70c", 1, .sandbox),
        ]
        let customer = Customer(
            history: PurchaseHistory(chains), completeness: .partial, catalogue: Shop.catalogue, policy: EligibilityPolicy(),
            now: Month.now)
        let identity = BucketingIdentity(customerID: "u", facts: CustomerFacts(of: customer, historyUpdatedAt: nil))
        #expect(identity == BucketingIdentity(customerID: "u", appTransactionID: "70b", originalTransactionID: "9"))
        #expect(BucketingUnit.allCases.map { identity[$0] } == ["u", "70b", "9"])
    }
}
