import EligibilityRules
import FoundationEssentials
import OfferSigning
package import OfferStore

/// The use case: check, decide, sign, record, answer. Knows nothing of HTTP.
package final class OfferIssuer: Sendable {
    /// The `Idempotency-Key` of a request and the digest that tells it from another.
    package struct Idempotency: Sendable {
        package let key: String
        let requestDigest: [UInt8]

        /// - Parameter request: everything of the request that tells it from another.
        package init(key: String, request: [UInt8]) {
            self.key = key
            requestDigest = Crypto.sha256(request)
        }
    }

    /// The bytes that answer a request, and whether they are those of an earlier one.
    package struct Issuance: Sendable {
        package let body: [UInt8]
        package let isReplay: Bool
    }

    package typealias Reply = (Result<Issuance, any Error>) -> Void

    package let apps: AppDirectory
    package let keys: KeyRingHolder
    package let nonces: NonceDesk
    package let clock: SigningClock
    package let ledger: any Ledger
    package let intake: HistoryIntake
    package let observer: any IssueObserver
    /// Asks the App Store about customers of long ago, behind the answer; nil: nobody does.
    let lapsed: LapsedRefresher?

    package init(
        apps: AppDirectory,
        keys: KeyRingHolder,
        nonces: NonceDesk,
        clock: SigningClock,
        ledger: any Ledger,
        intake: HistoryIntake,
        observer: any IssueObserver,
        lapsed: LapsedRefresher? = nil
    ) {
        self.apps = apps
        self.keys = keys
        self.nonces = nonces
        self.clock = clock
        self.ledger = ledger
        self.intake = intake
        self.observer = observer
        self.lapsed = lapsed
    }

    /// Answers a request with one result an item, or fails as a whole.
    ///
    /// No signature leaves before its row is durable.
    ///
    /// - Parameter render: turns what was issued into the answer's bytes, which are kept with an idempotency key.
    package func issue(
        _ request: SignatureRequest,
        for caller: Caller,
        requestID: String,
        idempotency: Idempotency?,
        lane: StoreLane,
        render: @escaping (IssuedOffers) -> [UInt8],
        reply: @escaping Reply
    ) {
        do {
            let app = try app(of: request, for: caller)
            findHistories(request, of: app, lane: lane) { [self] result in
                do {
                    let (request, histories) = try result.get()
                    let draft = try prepare(
                        request, of: app, histories: histories, for: caller, requestID: requestID)
                    record(draft, idempotency, for: caller, lane: lane, body: render(draft.issued), reply: reply)
                } catch let error as IssueError {
                    settle(error, lane: lane, reply: reply)
                } catch {
                    reply(.failure(error))
                }
            }
        } catch {
            reply(.failure(error))
        }
    }

    private func record(
        _ draft: Draft,
        _ idempotency: Idempotency?,
        for caller: Caller,
        lane: StoreLane,
        body: [UInt8],
        reply: @escaping Reply
    ) {
        if draft.entry == nil, idempotency == nil { return reply(conclude(.recorded, draft: draft, body: body)) }
        let record = idempotency.map { idempotency in
            IdempotencyRecord(
                caller: caller.id,
                key: idempotency.key,
                requestDigest: idempotency.requestDigest,
                answer: body,
                createdAt: draft.now
            )
        }
        lane.record(LedgerSubmission(draft.entry, idempotency: record)) { [self] result in
            switch result {
            case .success(let outcome): reply(conclude(outcome, draft: draft, body: body))
            case .failure(let error): reply(.failure(error))
            }
        }
    }

    private func conclude(_ outcome: LedgerOutcome, draft: Draft, body: [UInt8]) -> Result<Issuance, any Error> {
        switch outcome {
        case .recorded:
            if let entry = draft.entry { observer.didSign(entry) }
            draft.report.tell(observer)
            return .success(Issuance(body: body, isReplay: false))
        case .nonceReplayed(let nonce): return .failure(IssueError.nonceReplayed(nonce))
        case .answeredBefore(let earlier): return .success(Issuance(body: earlier, isReplay: true))
        case .idempotencyKeyReused: return .failure(IssueError.idempotencyKeyReused)
        }
    }

    /// A nonce that is not good any more may still be one that was used: that is what the caller needs to hear.
    private func settle(_ error: IssueError, lane: StoreLane, reply: @escaping Reply) {
        switch error {
        case .nonceNotIssued(let nonce), .nonceExpired(let nonce):
            lane.perform({ [ledger] in try await ledger.entry(nonce: nonce) != nil }) { result in
                reply(result.flatMap { wasUsed in .failure(wasUsed ? IssueError.nonceReplayed(nonce) : error) })
            }
        default: reply(.failure(error))
        }
    }
}
