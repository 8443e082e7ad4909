import EligibilityRules
import Foundation
import NIOPosix
import OfferSigning
import OfferStore
import OfferStoreSQLite
import OfferStoreTesting
import Testing

@testable import OfferService

@Suite("Offer issuer")
struct OfferIssuerTests {
    private let workshop: IssuerWorkshop

    init() async throws { workshop = try await IssuerWorkshop() }

    private func request(
        _ offers: [String],
        nonces: [UUID?] = [],
        customer: String? = nil
    ) -> SignatureRequest {
        let items = offers.enumerated().map { index, offer in
            SignatureRequest.Item(
                productID: "pro", purpose: .promotionalOffer(offerID: offer),
                nonce: index < nonces.count ? nonces[index] : nil)
        }
        return SignatureRequest(
            customer: CustomerReference(customerID: customer), applicationUsername: "u", form: .payload, items: items)
    }

    @Test("A refusal of one item does not spoil the others")
    func partialRefusal() async throws {
        let overrides = [true, nil, false].map { allowed in
            SignatureRequest.Item(
                productID: "pro",
                purpose: .introductoryOffer(
                    transactionID: "1", allowed.map { .given($0) } ?? .byRules), nonce: nil)
        }
        let request = SignatureRequest(
            customer: CustomerReference(), form: .jws, items: overrides)
        let issued = try await workshop.issue(request, .enforce)
        #expect(issued.outlines == ["signed ", "refused  no-introductory-offer", "signed "])
        #expect(try await workshop.recorded(issued) == [true, false, true])
    }

    @Test(
        "Who never subscribed is refused where eligibility is enforced, and signed for where it is only advised",
        arguments: [
            (App.Enforcement.enforce, "new", "refused one never-subscribed"),
            (.enforce, nil, "refused one customer-not-named"),
            (.enforce, "lapsed", "signed one"),
            (.advise, "new", "signed one, ineligible never-subscribed"),
            (.advise, nil, "signed one"),
            (.advise, "lapsed", "signed one, eligible lapsed-subscriber"),
        ] as [(App.Enforcement, String?, String)])
    func enforcement(_ enforcement: App.Enforcement, customer: String?, outline: String) async throws {
        let stamp = Stamp(asOf: Instant(milliseconds: 2000), source: .signedData)
        let period = PurchaseTransaction(
            id: "1", productID: "pro", purchasedAt: Instant(milliseconds: 1000),
            state: .init(expiry: Stamped(Instant(milliseconds: 2000), stamp)))
        let change = HistoryChange(
            partition: "com.example.app", claim: CustomerClaim("lapsed", .vouched),
            chains: [PurchaseChain(originalID: "1", transactions: [period])], receivedAt: Instant(milliseconds: 2000))
        _ = try await workshop.histories.apply(change)
        let issued = try await workshop.issue(request(["one"], customer: customer), enforcement)
        #expect(issued.outlines == [outline])
    }

    @Test("Refusing everything is an answer, and is on record as a refusal, not as a signature")
    func totalRefusal() async throws {
        _ = try await workshop.issue(request(["one"], customer: "new"), .enforce)
        #expect(try await workshop.ledger.latestInstant() == nil)
        let found = try await workshop.ledger.refusals(customerID: "new", partition: "com.example.app", limit: 9)
        #expect(found.map(\.request.id) == ["test"])
        #expect(found.flatMap(\.offers).map { "\($0.productID) \($0.offerID) \($0.reason)" } == ["pro one never-subscribed"])
    }

    @Test("A nonce of ours is used once")
    func nonceOnce() async throws {
        let nonce = try workshop.makeNonce()
        _ = try await workshop.issue(request(["one"], nonces: [nonce]))
        await #expect(throws: IssueError.nonceReplayed(nonce)) {
            try await workshop.issue(request(["two"], nonces: [nonce]))
        }
    }

    @Test("A refusal, or a signature against advice, that was never answered is not reported")
    func certainReports() async throws {
        let nonce = try workshop.makeNonce()
        let introductory = SignatureRequest(
            customer: CustomerReference(), form: .jws,
            items: [(true, nonce), (nil, nil)].map { allowed, nonce in
                SignatureRequest.Item(
                    productID: "pro",
                    purpose: .introductoryOffer(
                        transactionID: "1", allowed.map { .given($0) } ?? .byRules), nonce: nonce)
            })
        _ = try await workshop.issue(introductory, .enforce)
        #expect(workshop.observer.words == ["signed", "refused"])
        await #expect(throws: IssueError.nonceReplayed(nonce)) { try await workshop.issue(introductory, .enforce) }
        await #expect(throws: IssueError.nonceReplayed(nonce)) {
            try await workshop.issue(request(["one"], nonces: [nonce], customer: "new"))
        }
        #expect(workshop.observer.words == ["signed", "refused"])
        _ = try await workshop.issue(request(["one"], customer: "new"))
        _ = try await workshop.issue(request(["one"], customer: "new"), .enforce)
        #expect(workshop.observer.words == ["signed", "refused", "signed", "against", "refused"])
    }

    @Test("Nonces that were issued before and nonces made on the spot go together")
    func mixedNonces() async throws {
        let own = try workshop.makeNonce()
        let issued = try await workshop.issue(request(["one", "two", "three"], nonces: [nil, own]))
        #expect(issued.outlines == ["signed one", "signed two", "signed three"])
        #expect(try await workshop.recorded(issued) == [true, true, true])
    }

    @Test("A bad nonce among good ones uses up none of them")
    func badNonce() async throws {
        let (good, foreign) = (try workshop.makeNonce(), UUID())
        await #expect(throws: IssueError.nonceNotIssued(foreign)) {
            try await workshop.issue(request(["one", "two"], nonces: [good, foreign]))
        }
        #expect(try await workshop.issue(request(["one"], nonces: [good])).results.count == 1)
    }

    @Test("A nonce that the service made for itself is a replay when it comes again")
    func servicesOwnNonce() async throws {
        let issued = try await workshop.issue(request(["one"]))
        guard case .signed(let signed)? = issued.results.first?.outcome else {
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

extension IssuedOffers {
    fileprivate var outlines: [String] {
        results.map { result in
            let offer = result.purpose.offerID ?? ""
            return switch result.outcome {
            case .signed(let signed):
                "signed \(offer)\(signed.advice.map { ", \($0.status.rawValue) \($0.reasons[0].code)" } ?? "")"
            case .notNeeded(let verdict): "not-needed \(verdict.reason.code)"
            case .refused(let verdict): "refused \(offer) \(verdict.reason.code)"
            }
        }
    }
}
