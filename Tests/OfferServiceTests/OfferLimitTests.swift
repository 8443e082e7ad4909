import EligibilityRules
import Foundation
import OfferStore
import OfferStoreSQLite
import OfferStoreTesting
import Testing

@testable import OfferService

@Suite("Limits of offers")
struct OfferLimitTests {
    /// So many signatures of each offer at a time.
    private struct Limit: OfferLimiting {
        let max: Int
        /// What is appended to the name of a limit.
        var suffix: @Sendable () -> String = { "" }

        func concern(_: App) -> Bool { true }

        func share(
            of offer: LimitedOffer,
            with nonce: UUID,
            for _: CustomerReference,
            _: App,
            at now: Instant,
            customer _: Customer?
        ) -> OfferShare {
            guard offer.id != "two" else { return .taken([]) }
            let name = offer.id + suffix()
            return .taken([
                Reservation(
                    scope: LimitScope(""), rule: .uses(LimitTerms(outstanding: max)), names: [LimitName(.all, name)], madeAt: now,
                    expiresAt: now.advanced(by: 3_600_000), nonce: nonce)
            ])
        }
    }

    private let workshop: IssuerWorkshop

    init() async throws { workshop = try await IssuerWorkshop() }

    private func request(_ offers: [String]) -> SignatureRequest {
        SignatureRequest(
            customer: CustomerReference(customerID: "ann"), applicationUsername: "u", form: .payload,
            items: offers.map {
                SignatureRequest.Item(productID: "pro", purpose: .promotionalOffer(offerID: $0), nonce: nil)
            })
    }

    private func signed(_ issued: IssuedOffers) -> [String] {
        issued.results.compactMap { result in
            if case .signed = result.outcome { result.purpose.offerID } else { nil }
        }
    }

    private func refused() async throws -> [[String]] {
        try await workshop.ledger.refusals(customerID: "ann", partition: "com.example.app", limit: 99).map {
            $0.offers.map { "\($0.offerID) \($0.reason)" }
        }
    }

    @Test("An offer whose limit is used up is refused, the others are signed, and both are on record")
    func usedUp() async throws {
        let limit = Limit(max: 1)
        #expect(signed(try await workshop.issue(request(["one", "two", "three"]), limits: limit)) == ["one", "two", "three"])
        let second = try await workshop.issue(request(["one", "two", "three"]), limits: limit)
        #expect(signed(second) == ["two"])
        #expect(second.results.map(\.purpose.offerID) == ["one", "two", "three"])
        #expect(try await workshop.recorded(second) == [false, true, false])
        #expect(try await refused() == [["one offer-limit-reached", "three offer-limit-reached"]])
        #expect(workshop.observer.words.filter { $0 == "refused" }.count == 2)
    }

    @Test("Of the same offer several times in a request as many are signed as the limit has left")
    func twice() async throws {
        for (max, expected) in [(1, ["one"]), (3, ["one", "one"]), (3, []), (4, ["one"])] {
            #expect(signed(try await workshop.issue(request(["one", "one", "one"]), limits: Limit(max: max))) == expected)
        }
    }

    @Test("Of customers who come at once as many are served as the limit allows")
    func atOnce() async throws {
        let served = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<20 {
                group.addTask { signed(try await workshop.issue(request(["one"]), limits: Limit(max: 3))).count }
            }
            return try await group.reduce(0, +)
        }
        #expect(served == 3)
        #expect(try await refused().count == 17)
    }

    @Test("Twenty offers that are all used up are all refused at once")
    func many() async throws {
        _ = try await workshop.issue(request(["one", "three"]), limits: Limit(max: 1))
        let offers = (0..<20).map { $0.isMultiple(of: 2) ? "one" : "three" }
        #expect(signed(try await workshop.issue(request(offers), limits: Limit(max: 1))) == [])
    }

    @Test("A request is not decided for ever")
    func bounded() async throws {
        // Each time another limit is used up.
        let limit = Limit(max: 0, suffix: { "\(UInt64.random(in: 0 ... .max))" })
        await #expect(throws: IssueError.notReady("too many limits were used up meanwhile", of: .load)) {
            try await workshop.issue(request(["one"]), limits: limit)
        }
        #expect(try await workshop.ledger.latestInstant() == nil)
        #expect(try await refused() == [])
    }
}
