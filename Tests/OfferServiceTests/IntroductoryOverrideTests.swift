import EligibilityRules
import OfferSigning
import OfferStore
import OfferStoreSQLite
import OfferStoreTesting
import Testing
import WireText

@testable import OfferService

@Suite("Introductory overrides")
struct IntroductoryOverrideTests {
    private func request(_ wishes: [Bool?], productID: String = "trial", customer: String? = nil) -> SignatureRequest {
        let items = wishes.map { allowed in
            SignatureRequest.Item(
                productID: productID,
                purpose: .introductoryOffer(
                    transactionID: "1", allowed.map { .given($0) } ?? .byRules), nonce: nil)
        }
        return SignatureRequest(
            customer: CustomerReference(customerID: customer), form: .jws, items: items)
    }

    private func words(_ issued: IssuedOffers) throws -> [String] {
        try issued.results.map { result in
            switch result.outcome {
            case .refused(let verdict): return "refused \(verdict.reason.code)"
            case .notNeeded(let verdict): return "not-needed \(verdict.reason.code)"
            case .signed(let signed):
                guard case .jws(let text) = signed.token else { return "not a JWS" }
                let claims = try #require(Base64.decodeURLSafe(Array(text.utf8.split(separator: UInt8(ascii: "."))[1])))
                let isGrant = String(decoding: claims, as: UTF8.self).contains(#""allowIntroductoryOffer":true"#)
                return "signed \(isGrant)"
            }
        }
    }

    @Test("What is left to the rules is never signed as true", arguments: App.Enforcement.allCases)
    func rulesNeverGrant(_ enforcement: App.Enforcement) async throws {
        let workshop = try await IssuerWorkshop(role: .client, overrides: .client)
        let stamp = Stamp(asOf: Instant(milliseconds: 2000), source: .signedData)
        for (name, offer) in [("used", RedeemedOffer(kind: .introductory)), ("unused", nil)] {
            let period = PurchaseTransaction(
                id: name, productID: "trial", purchasedAt: Instant(milliseconds: 1000), terms: .init(offer: offer),
                state: .init(expiry: Stamped(Instant(milliseconds: 2000), stamp)))
            let change = HistoryChange(
                partition: "com.example.app", claim: CustomerClaim(name, .vouched),
                chains: [PurchaseChain(originalID: name, transactions: [period])], receivedAt: Instant(milliseconds: 2000))
            _ = try await workshop.histories.apply(change)
        }
        let expected = [
            "new": "not-needed new-customer", "unused": "not-needed lapsed-without-introductory-offer", "used": "signed false",
        ]
        for (customer, word) in expected {
            #expect(try words(try await workshop.issue(request([nil], customer: customer), enforcement)) == [word])
        }
        #expect(
            try words(try await workshop.issue(request([nil], productID: "pro"), enforcement)) == [
                "refused no-introductory-offer"
            ])
    }

    @Test("An answer without a signature writes no row, and is reported once")
    func nothingWritten() async throws {
        let workshop = try await IssuerWorkshop(role: .client)
        _ = try await workshop.issue(request([nil], customer: "new"))
        #expect(try await workshop.ledger.latestInstant() == nil)
        #expect(workshop.observer.words == ["not-needed"])
    }

    @Test(
        "Only who may override is given a true",
        arguments: [
            (.client, .backend, false), (.client, .client, true), (.backend, .backend, true), (.backend, .client, true),
            (.admin, .backend, true), (.viewer, .client, false), (.marketing, .client, false), (.approver, .client, false),
            (.security, .client, false),
        ] as [(Role, App.IntroductoryOverrides, Bool)])
    func whoMayGrant(_ role: Role, _ overrides: App.IntroductoryOverrides, isAllowed: Bool) async throws {
        let workshop = try await IssuerWorkshop(role: role, overrides: overrides)
        guard isAllowed else {
            // One among several that are allowed fails them all.
            for wishes in [[true], [false, nil, true], [true, false]] {
                await #expect(throws: IssueError.overrideNotAllowed(role)) { try await workshop.issue(request(wishes)) }
            }
            #expect(try await workshop.ledger.latestInstant() == nil)
            #expect(workshop.observer.words == [])
            return
        }
        let issued = try await workshop.issue(request([true, false, nil]))
        #expect(try words(issued) == ["signed true", "signed false", "not-needed new-customer"])
    }
}
