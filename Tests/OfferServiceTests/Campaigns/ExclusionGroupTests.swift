import EligibilityRules
import Foundation
import OfferStore
import OfferStoreSQL
import OfferStoreSQLite
import OfferStoreTesting
import Testing
import WireText

@testable import OfferService

@Suite("Exclusion groups over time")
struct ExclusionGroupTests {
    private let workshop: IssuerWorkshop

    init() async throws { workshop = try await IssuerWorkshop() }

    /// One that takes every customer who says so.
    private func campaign(_ id: String, group: String? = "g", until: Instant? = nil) throws -> Campaign {
        let json = JSONValue.members([
            "id": .string(id), "name": .string(id), "bundleId": .string("com.example.app"),
            "exclusionGroup": group.map(JSONValue.string),
            "schedule": until.map { .members(["until": .string($0.exactISO8601)]) },
            "audience": .members(["attribute": .string("wants"), "contains": .string(id)]),
            "variants": .array([.members(["id": .string("v"), "weight": .integer(10_000)])]),
        ])
        return try Campaign(json: json)
    }

    /// The campaigns that take a customer.
    private func taken(_ customer: String, wanting wants: String) async throws -> [String] {
        let occasion = OfferOccasion(attributes: Attributes(["wants": .text(wants)]))
        let user = Caller(
            EndUser(customerID: customer, accountToken: nil), id: "usr", apps: ["com.example.app"], rate: RateState())
        return try await workshop.offers(customer: customer, occasion, .advise, as: user).assignments.map(\.campaignID)
    }

    @Test("A customer of one campaign is taken by no other, whatever becomes of the audience, until the first has ended")
    func held() async throws {
        try await workshop.publish(campaign("a"), campaign("b"), campaign("c", group: nil))
        #expect(try await taken("ann", wanting: "b") == ["b"])
        // The first in order, by whose audience they are now taken.
        #expect(try await taken("ann", wanting: "ac") == ["c"])
        #expect(try await taken("ann", wanting: "ab") == ["b"])
        #expect(try await taken("bob", wanting: "ab") == ["a"])
        #expect(try await workshop.exposures(of: "a").map(\.unit) == ["bob"])
        try await workshop.set(.paused, "b")
        #expect(try await taken("ann", wanting: "ab") == [])
        try await workshop.set(.ended, "b")
        #expect(try await taken("ann", wanting: "ab") == ["a"])
        #expect(try await workshop.exposures.holds(onUnits: ["ann"], partition: "com.example.app").map(\.campaign) == ["a"])
    }

    @Test("A campaign whose time is over holds no customer any more")
    func over() async throws {
        try await workshop.publish(campaign("b"))
        #expect(try await taken("ann", wanting: "b") == ["b"])
        let now = SystemEnvironment.live.now()
        try await workshop.publish(campaign("b", until: now), campaign("a"))
        #expect(try await taken("ann", wanting: "ab") == ["a"])
    }

    @Test("Of many who ask for one customer at once all get the same campaign", arguments: 1...3)
    func atOnce(_ seed: Int) async throws {
        try await workshop.publish(campaign("a"), campaign("b"))
        let found = try await withThrowingTaskGroup(of: [String].self) { group in
            for number in 0..<40 {
                let customer = "u-\(seed)-\(number / 8)"
                group.addTask { try await taken(customer, wanting: number % 2 == 0 ? "a" : "b").map { "\(customer) \($0)" } }
            }
            return try await group.reduce(into: Set<String>()) { $0.formUnion($1) }
        }
        #expect(found.count == 5)
        let exposed = try await [workshop.exposures(of: "a"), workshop.exposures(of: "b")].map { Set($0.map(\.unit)) }
        #expect(exposed[0].isDisjoint(with: exposed[1]) && exposed[0].union(exposed[1]).count == 5)
    }
}
