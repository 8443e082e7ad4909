import Dispatch
import EligibilityRules
import Foundation
import OfferSigning
import OfferStore
import OfferStoreSQLite
import Synchronization
import Testing

@testable import OfferService

@Suite("A key that answers later")
struct SlowKeyTests {
    /// A key that is elsewhere: it signs on a thread of its own, when the test says so.
    private final class SlowKey: OfferKey, OfferKeys {
        private let key: SigningKey
        private let answer: @Sendable ([SigningOutput]) throws -> [SigningOutput]
        private let isWithdrawn = Mutex(false)
        private let begun = Mutex(0)
        private let isFollowed = Mutex(false)
        private let next: (any OfferKey)?

        /// - Parameter next: is active after the next look at what was decided.
        init(
            _ key: SigningKey,
            next: (any OfferKey)? = nil,
            answer: @escaping @Sendable ([SigningOutput]) throws -> [SigningOutput] = { $0 }
        ) {
            self.key = key
            self.next = next
            self.answer = answer
        }

        var id: String { key.id }
        var requests: Int { begun.withLock { $0 } }

        func withdraw() { isWithdrawn.withLock { $0 = true } }

        func sign(_ inputs: [SigningInput]) throws -> Signing {
            begun.withLock { $0 += 1 }
            return .pending { [self] completion in
                DispatchQueue.global().async { [self] in
                    completion(
                        Result {
                            guard case .done(let outputs) = try key.sign(inputs) else { return [] }
                            return try answer(outputs)
                        })
                }
            }
        }

        func activeKey(for _: String) -> (any OfferKey)? { isFollowed.withLock { $0 } ? next ?? self : self }

        func isGood(_ keyID: String, for _: String) -> Bool { keyID == id && !isWithdrawn.withLock { $0 } }

        func refresh() { isFollowed.withLock { $0 = true } }

        func noActiveKey(for bundleID: String) -> IssueError { .notReady(bundleID) }
    }

    /// A key at hand, under another id.
    private struct NextKey: OfferKey {
        let id = "NEXTKEY123"
        let key: SigningKey

        func sign(_ inputs: [SigningInput]) throws -> Signing { try key.sign(inputs) }
    }

    private let workshop: IssuerWorkshop

    init() async throws { workshop = try await IssuerWorkshop() }

    private func request(_ offers: [String], nonces: [UUID?] = []) -> SignatureRequest {
        SignatureRequest(
            customer: CustomerReference(), applicationUsername: "u", form: .payload,
            items: offers.enumerated().map { index, offer in
                SignatureRequest.Item(
                    productID: "pro", purpose: .promotionalOffer(offerID: offer),
                    nonce: index < nonces.count ? nonces[index] : nil)
            })
    }

    @Test("What it signs is recorded and answered as any other signature, and each nonce is good once")
    func signs() async throws {
        let key = SlowKey(workshop.key)
        let nonce = try workshop.makeNonce()
        let issued = try await workshop.issue(request(["one", "two"], nonces: [nil, nonce]), keys: key)
        #expect(issued.keyID == workshop.key.id)
        #expect(issued.results.map(\.purpose.offerID) == ["one", "two"])
        #expect(try await workshop.recorded(issued) == [true, true])
        #expect(key.requests == 1)
        await #expect(throws: IssueError.nonceReplayed(nonce)) {
            try await workshop.issue(request(["one"], nonces: [nonce]), keys: key)
        }
    }

    @Test("Of many at once each gets its own")
    func many() async throws {
        let key = SlowKey(workshop.key)
        let nonces = try await withThrowingTaskGroup(of: UUID?.self) { group in
            for _ in 0..<50 {
                group.addTask {
                    let issued = try await workshop.issue(request(["one"]), keys: key)
                    guard case .signed(let signed)? = issued.results.first?.outcome else { return nil }
                    return try await workshop.ledger.entry(nonce: signed.nonce)?.signatures.first?.digest == signed.digest
                        ? signed.nonce : nil
                }
            }
            return try await group.reduce(into: Set<UUID>()) { if let nonce = $1 { $0.insert(nonce) } }
        }
        #expect(nonces.count == 50)
    }

    @Test("A key that fails, or signs only a part, leaves nothing", arguments: [true, false])
    func failure(throwing: Bool) async throws {
        let key = SlowKey(workshop.key) { outputs in
            if throwing { throw SigningError(.selfTestFailed, "the module is away") }
            return outputs.dropLast()
        }
        await #expect(throws: (any Error).self) { try await workshop.issue(request(["one", "two"]), keys: key) }
        #expect(try await workshop.ledger.latestInstant() == nil)
        #expect(workshop.observer.words == [])
    }

    @Test(
        "What it signed before it was withdrawn does not leave after that: another key signs, if one is active",
        arguments: [true, false])
    func withdrawn(hasNext: Bool) async throws {
        let holder = Mutex<SlowKey?>(nil)
        let key = SlowKey(workshop.key, next: hasNext ? NextKey(key: workshop.key) : nil) { outputs in
            holder.withLock { $0 }?.withdraw()
            return outputs
        }
        holder.withLock { $0 = key }
        defer { holder.withLock { $0 = nil } }
        guard hasNext else {
            await #expect(throws: IssueError.notReady("the key \(workshop.key.id) has just been revoked", of: .keys)) {
                try await workshop.issue(request(["one"]), keys: key)
            }
            #expect(try await workshop.ledger.latestInstant() == nil)
            return
        }
        let issued = try await workshop.issue(request(["one"]), keys: key)
        #expect(issued.keyID == "NEXTKEY123")
        #expect(try await workshop.recorded(issued) == [true])
    }
}
