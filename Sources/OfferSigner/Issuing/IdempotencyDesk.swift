import NIOCore
import OfferStore
import Synchronization

/// Makes identical requests under one `Idempotency-Key` share one execution.
final class IdempotencyDesk: Sendable {
    private struct Key: Hashable {
        let caller: String
        let key: String
    }

    // Unchecked: a reply is kept here only to be called on its own loop.
    private struct Waiter: @unchecked Sendable {
        let eventLoop: any EventLoop
        let reply: OfferIssuer.Reply
    }

    private struct Execution {
        let requestDigest: [UInt8]
        var waiters: [Waiter] = []
    }

    private enum Admission {
        case first, waiting, otherRequest
    }

    private let ledger: any Ledger
    private let system: SystemEnvironment
    private let running = Mutex<[Key: Execution]>([:])

    init(ledger: any Ledger, system: SystemEnvironment) {
        self.ledger = ledger
        self.system = system
    }

    /// Answers from an earlier request, waits for one that runs, or runs `execute`.
    func answer(
        _ idempotency: OfferIssuer.Idempotency,
        caller: Caller,
        lane: StoreLane,
        reply: @escaping OfferIssuer.Reply,
        execute: @escaping (@escaping OfferIssuer.Reply) -> Void
    ) {
        let key = Key(caller: caller.id, key: idempotency.key)
        let waiter = Waiter(eventLoop: lane.eventLoop, reply: reply)
        switch admit(key, idempotency, waiter) {
        case .otherRequest: reply(.failure(IssueError.idempotencyKeyReused))
        case .waiting: return
        case .first:
            let finish: OfferIssuer.Reply = { [self] result in
                reply(result)
                release(key, with: result)
            }
            lane.perform({ [ledger, system] in
                try await ledger.answer(caller: key.caller, key: key.key, now: system.now())
            }) { result in
                switch result {
                case .failure(let error): finish(.failure(error))
                case .success(nil): execute(finish)
                case .success(let kept?) where kept.requestDigest == idempotency.requestDigest:
                    finish(.success(OfferIssuer.Answer(body: kept.answer, isReplay: true)))
                case .success: finish(.failure(IssueError.idempotencyKeyReused))
                }
            }
        }
    }

    private func admit(_ key: Key, _ idempotency: OfferIssuer.Idempotency, _ waiter: Waiter) -> Admission {
        running.withLock { running in
            guard let execution = running[key] else {
                running[key] = Execution(requestDigest: idempotency.requestDigest)
                return .first
            }
            guard execution.requestDigest == idempotency.requestDigest else { return .otherRequest }
            running[key]!.waiters.append(waiter)
            return .waiting
        }
    }

    private func release(_ key: Key, with result: Result<OfferIssuer.Answer, any Error>) {
        let waiters = running.withLock { $0.removeValue(forKey: key)?.waiters ?? [] }
        let shared = result.map { OfferIssuer.Answer(body: $0.body, isReplay: true) }
        for waiter in waiters {
            waiter.eventLoop.execute { waiter.reply(shared) }
        }
    }
}
