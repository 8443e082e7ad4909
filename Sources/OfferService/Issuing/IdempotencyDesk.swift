import NIOCore
import OfferSigning
package import OfferStore
import Synchronization

/// Makes identical requests under one `Idempotency-Key` share one execution. A different request under the same key is refused.
package final class IdempotencyDesk: Sendable {
    private struct Key: Hashable {
        let caller: String
        let key: String
    }

    private typealias Waiter = NIOLoopBound<OfferIssuer.Reply>

    private struct Execution {
        let requestDigest: [UInt8]
        var waiters: [Waiter] = []
    }

    private let ledger: any Ledger
    private let system: SystemEnvironment
    private let running = Mutex<[Key: Execution]>([:])

    package init(ledger: any Ledger, system: SystemEnvironment) {
        self.ledger = ledger
        self.system = system
    }

    /// Replies with the answer to an earlier request, waits for a request that is being executed, or calls `execute`.
    ///
    /// `execute` records its answer in the store. If the store has an earlier answer under the same key, it reports that one
    /// instead, so a request usually needs no other look at the store. If `execute` fails, the store is asked for an earlier
    /// answer. It is returned even if the service cannot sign at the moment.
    package func answer(
        _ idempotency: Idempotency,
        caller: Caller,
        lane: StoreLane,
        reply: @escaping OfferIssuer.Reply,
        execute: @escaping (@escaping OfferIssuer.Reply) -> Void
    ) {
        let key = Key(caller: caller.id, key: idempotency.key)
        let share = Waiter(reply, eventLoop: lane.eventLoop)
        // A different request may be running under the same key. Only the store knows which of the two the key belongs to, so
        // this request is tried again when the other one is done.
        let again: OfferIssuer.Reply = { [self] _ in
            answer(idempotency, caller: caller, lane: lane, reply: reply, execute: execute)
        }
        guard isFirst(key, idempotency, elseWith: share, orForAnother: Waiter(again, eventLoop: lane.eventLoop)) else { return }
        let finish: OfferIssuer.Reply = { [self] result in
            reply(result)
            release(key, with: result)
        }
        execute { [self] result in
            switch result {
            case .success, .failure(IssueError.idempotencyKeyReused): finish(result)
            case .failure(let error): lookUp(idempotency, caller: caller, lane: lane, elseFailWith: error, reply: finish)
            }
        }
    }

    private func lookUp(
        _ idempotency: Idempotency,
        caller: Caller,
        lane: StoreLane,
        elseFailWith error: any Error,
        reply: @escaping OfferIssuer.Reply
    ) {
        lane.perform({ [ledger, system] in
            try await ledger.answer(caller: caller.id, key: idempotency.key, now: system.now())
        }) { result in
            switch result {
            case .failure(let error): reply(.failure(error))
            case .success(nil): reply(.failure(error))
            case .success(let kept?) where kept.requestDigest == idempotency.requestDigest:
                reply(.success(OfferIssuer.Issuance(body: kept.answer, isReplay: true)))
            case .success: reply(.failure(IssueError.idempotencyKeyReused))
            }
        }
    }

    /// Whether no execution is running for the key.
    ///
    /// If one is running, one of the two waiters waits until it is done: `share` if the same request is being executed, and
    /// `again` if it is another request.
    private func isFirst(
        _ key: Key,
        _ idempotency: Idempotency,
        elseWith share: Waiter,
        orForAnother again: Waiter
    ) -> Bool {
        running.withLock { running in
            guard let execution = running[key] else {
                running[key] = Execution(requestDigest: idempotency.requestDigest)
                return true
            }
            running[key]!.waiters.append(execution.requestDigest == idempotency.requestDigest ? share : again)
            return false
        }
    }

    private func release(_ key: Key, with result: Result<OfferIssuer.Issuance, any Error>) {
        let waiters = running.withLock { $0.removeValue(forKey: key)?.waiters ?? [] }
        let shared = result.map { OfferIssuer.Issuance(body: $0.body, isReplay: true) }
        for waiter in waiters {
            waiter.eventLoop.execute { waiter.value(shared) }
        }
    }
}

/// The `Idempotency-Key` of a request, and the digest that identifies the request.
package struct Idempotency: Sendable {
    package let key: String
    let requestDigest: [UInt8]
    /// Whether an answer is kept only if it has recorded something.
    ///
    /// Any other answer need not be kept, because the same question gives the same answer again.
    let isForRecordedOnly: Bool

    /// - Parameters:
    ///   - request: everything that distinguishes the request from other requests.
    ///   - isForRecordedOnly: whether an answer is kept only if it has recorded something.
    package init(key: String, request: [UInt8], isForRecordedOnly: Bool = false) {
        self.key = key
        self.isForRecordedOnly = isForRecordedOnly
        requestDigest = Crypto.sha256(request)
    }
}
