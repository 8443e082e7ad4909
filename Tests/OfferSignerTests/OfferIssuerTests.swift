import EligibilityRules
import Foundation
import NIOPosix
import OfferSigning
import OfferStore
import Testing

@testable import OfferSigner

@Suite("Offer issuer")
struct OfferIssuerTests {
    private let workshop: IssuerWorkshop

    init() async throws { workshop = try await IssuerWorkshop() }

    private func request(_ offers: [String], nonces: [UUID?] = []) -> SignatureRequest {
        let items = offers.enumerated().map { index, offer in
            SignatureRequest.Item(
                productID: "pro", purpose: .promotionalOffer(offerID: offer),
                nonce: index < nonces.count ? nonces[index] : nil)
        }
        return SignatureRequest(
            bundleID: "com.example.app", customerID: nil, applicationUsername: "u", form: .payload, transactionID: nil,
            items: items)
    }

    @Test("A refusal of one offer does not spoil the others")
    func partialRefusal() async throws {
        let results = try await workshop.issue(request(["one", "two", "three"])) { item in
            item.purpose.offerID == "two" ? .refuse(code: "never-subscribed", reason: "no") : .sign
        }
        #expect(results.map(\.outline) == ["signed one", "refused two never-subscribed", "signed three"])
        #expect(try await workshop.recorded(results) == [true, false, true])
    }

    @Test("Refusing everything is an answer, and writes no row")
    func totalRefusal() async throws {
        let results = try await workshop.issue(request(["one"])) { _ in .refuse(code: "no", reason: "no") }
        #expect(results.map(\.outline) == ["refused one no"])
        #expect(try await workshop.ledger.latestInstant() == nil)
    }

    @Test("A nonce of ours is used once")
    func nonceOnce() async throws {
        let nonce = try workshop.makeNonce()
        _ = try await workshop.issue(request(["one"], nonces: [nonce]))
        await #expect(throws: IssueError.nonceReplayed(nonce)) {
            try await workshop.issue(request(["two"], nonces: [nonce]))
        }
    }

    @Test("A bad nonce among good ones uses up none of them")
    func badNonce() async throws {
        let (good, foreign) = (try workshop.makeNonce(), UUID())
        await #expect(throws: IssueError.nonceNotIssued(foreign)) {
            try await workshop.issue(request(["one", "two"], nonces: [good, foreign]))
        }
        #expect(try await workshop.issue(request(["one"], nonces: [good])).count == 1)
    }

    @Test("A nonce that the service made for itself is a replay when it comes again")
    func servicesOwnNonce() async throws {
        let results = try await workshop.issue(request(["one"]))
        guard case .signed(let signed)? = results.first else {
            Issue.record("not signed")
            return
        }
        await #expect(throws: IssueError.nonceReplayed(signed.nonce)) {
            try await workshop.issue(request(["one"], nonces: [signed.nonce]))
        }
    }

    @Test("What the catalogue lacks fails the request as a whole")
    func catalogue() async throws {
        await #expect(throws: IssueError.unknownOffer(productID: "pro", offerID: "four")) {
            try await workshop.issue(request(["one", "four"]))
        }
        #expect(try await workshop.ledger.latestInstant() == nil)
    }
}

extension OfferResult {
    fileprivate var outline: String {
        switch self {
        case .signed(let signed): "signed \(signed.item.purpose.offerID ?? "")"
        case .refused(let refused): "refused \(refused.offerID ?? "") \(refused.code)"
        }
    }
}
