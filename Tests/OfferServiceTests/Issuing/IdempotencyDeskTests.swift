import EligibilityRules
import Foundation
import NIOCore
import NIOPosix
import OfferStore
import Synchronization
import Testing

@testable import OfferService

@Suite("Idempotency desk")
struct IdempotencyDeskTests {
    private let workshop: IssuerWorkshop
    private let desk: IdempotencyDesk

    init() async throws {
        workshop = try await IssuerWorkshop()
        desk = IdempotencyDesk(ledger: workshop.ledger, system: .live)
    }

    private func key(_ request: UInt8) -> Idempotency {
        Idempotency(key: "k", request: [request])
    }

    private func keep(_ answer: [UInt8], _ digest: UInt8) async throws {
        let record = IdempotencyRecord(
            caller: workshop.caller.id, key: "k", requestDigest: key(digest).requestDigest, answer: answer,
            createdAt: SystemEnvironment.live.now())
        #expect(try await workshop.ledger.record(LedgerSubmission(nil, idempotency: record)) == .recorded)
    }

    /// Asks at the desk, where `execute` returns this result.
    private func ask(
        _ digest: UInt8,
        _ result: Result<[UInt8], any Error>
    ) async throws -> OfferIssuer.Issuance {
        let lane = try await workshop.lane()
        return try await withCheckedThrowingContinuation { continuation in
            lane.eventLoop.execute { [desk, caller = workshop.caller, key = key(digest)] in
                desk.answer(
                    key, caller: caller, lane: lane.value, reply: { continuation.resume(with: $0) },
                    execute: { $0(result.map { OfferIssuer.Issuance(body: $0, isReplay: false) }) })
            }
        }
    }

    @Test("What fails now, and was answered before, gets the earlier answer")
    func earlierAnswer() async throws {
        try await keep([1, 2], 7)
        let answer = try await ask(7, .failure(AppError.unknownProduct("pro")))
        #expect(answer.body == [1, 2] && answer.isReplay)
    }

    @Test("What fails, and was never answered, fails")
    func noAnswer() async throws {
        await #expect(throws: AppError.unknownProduct("pro")) { try await ask(7, .failure(AppError.unknownProduct("pro"))) }
    }

    @Test("Another request under the same key gets an error that says so, whatever else is wrong with it")
    func reusedKey() async throws {
        try await keep([1, 2], 7)
        await #expect(throws: IssueError.idempotencyKeyReused) { try await ask(8, .failure(AppError.unknownProduct("pro"))) }
    }

    @Test("A twin that comes meanwhile gets the same result, another request its own")
    func twins() async throws {
        let lane = try await workshop.lane()
        let held = try await lane.eventLoop.submit { [desk, caller = workshop.caller] in
            let heard = Heard()
            func ask(_ digest: UInt8, _ name: String, _ execute: @escaping (@escaping OfferIssuer.Reply) -> Void) {
                desk.answer(
                    key(digest), caller: caller, lane: lane.value,
                    reply: { heard.words.append("\(name) \((try? $0.get()).map { "\($0.body) \($0.isReplay)" } ?? "failed")") },
                    execute: execute)
            }
            ask(7, "first") { heard.finish = $0 }
            ask(7, "twin") { _ in Issue.record("the twin is not to be carried out") }
            ask(8, "other") { $0(.success(OfferIssuer.Issuance(body: [9], isReplay: false))) }
            return NIOLoopBound(heard, eventLoop: lane.eventLoop)
        }.get()
        try await lane.eventLoop.submit {
            #expect(held.value.words.isEmpty)
            held.value.finish?(.success(OfferIssuer.Issuance(body: [5], isReplay: false)))
        }.get()
        // The waiters hear of it in turns of the loop behind this one.
        try await lane.eventLoop.submit {}.get()
        let words = try await lane.eventLoop.submit { held.value.words }.get()
        #expect(words == ["first [5] false", "twin [5] true", "other [9] false"])
    }

    /// What was answered, in order. Confined to the loop.
    private final class Heard {
        var words: [String] = []
        var finish: OfferIssuer.Reply?
    }
}
