package import AppStore
import EligibilityRules
import NIOCore
import OfferSigning
package import OfferStore

/// The use case that says what the App Store shows a customer who is about to cancel.
///
/// The App Store waits 700 ms for an answer and then shows something else. If there is no decision in time, the service therefore
/// answers with the default message.
package final class RetentionDesk: Sendable {
    /// The maximum time from the arrival of a request to the answer.
    static let deadline: TimeAmount = .milliseconds(250)
    /// The caller that the ledger and the audit log record for these requests.
    private static let caller = Caller.appStore

    private let issuer: OfferIssuer
    private let reader: SignedDataReader
    private let system: SystemEnvironment
    private let observer: any RetentionObserver
    private let failures: FailureLog
    /// The thread for requests with known certificates, whose verification takes a tenth of a millisecond.
    private let knownChains = BoundedExecutor(threads: 1, limit: 256, refusal: RetentionError.busy)
    /// The thread for requests whose certificates are not known yet. Verifying them takes milliseconds.
    ///
    /// Forged requests end up on this thread. It is a separate one, so that they do not delay the others.
    private let unknownChains = BoundedExecutor(threads: 1, limit: 32, niceness: 10, refusal: RetentionError.busy)

    package init(
        issuer: OfferIssuer,
        reader: SignedDataReader,
        system: SystemEnvironment,
        observer: any RetentionObserver,
        failures: FailureLog
    ) {
        self.issuer = issuer
        self.reader = reader
        self.system = system
        self.observer = observer
        self.failures = failures
    }

    /// Throws if no further request can be verified at the moment.
    package func checkRoom() throws { try knownChains.checkRoom() }

    /// Answers a request once, on the event loop of the lane. The answer is JSON, or empty if the App Store is to show its own
    /// message.
    ///
    /// Fails if it is not proved that the App Store has sent the request.
    package func answer(
        _ body: [UInt8],
        for app: App,
        requestID: String,
        address: String?,
        lane: StoreLane,
        reply: @escaping (Result<[UInt8], any Error>) -> Void
    ) {
        let turn = RetentionTurn(
            requestID: requestID, address: address, lane: lane, observer: observer, failures: failures, reply: reply)
        turn.begin(within: Self.deadline)
        verify(body, app, on: knownChains, turn)
    }

    private func verify(_ body: [UInt8], _ app: App, on executor: BoundedExecutor, _ turn: RetentionTurn) {
        turn.lane.perform(
            on: executor,
            { [self] in
                let jws = try RetentionRequest.signedPayload(of: body)
                guard executor === unknownChains || reader.isQuick(jws) else { return nil as (App, RetentionRequest)? }
                return try read(jws, app)
            }
        ) { [self] result in
            switch result {
            case .success(nil): verify(body, app, on: unknownChains, turn)
            case .success(let (app, request)?): decide(request, app, turn)
            case .failure(let error): turn.fail(with: error)
            }
        }
    }

    private func read(_ jws: String, _ app: App) throws(HistoryError) -> (App, RetentionRequest) {
        do {
            let now = system.now()
            let (app, request) = try app.reading { identity throws(SignedDataError) in
                try reader.retentionRequest(jws, for: identity, at: now)
            }
            return (app, request)
        } catch {
            throw .notAuthentic(code: error.code.rawValue, detail: error.detail)
        }
    }

    private func decide(_ request: RetentionRequest, _ app: App, _ turn: RetentionTurn) {
        turn.isAsked(by: request, of: app)
        issuer.issue(
            request.signatureRequest, of: app, for: Self.caller,
            from: Supplier(Self.caller, requestID: turn.requestID, address: turn.address),
            idempotency: Idempotency(key: request.requestIdentifier, request: request.identity, isForRecordedOnly: true),
            lane: turn.lane, render: { RetentionChoice($0, to: request.productID, of: app).bytes }, reply: turn.conclude)
    }
}

/// Receives what the App Store asks in real time, for metrics and the log.
package protocol RetentionObserver: Sendable {
    /// A request was answered.
    func didAnswer(_ outcome: RetentionOutcome, partition: AppPartition)

    /// The request has fields that this release does not know.
    func didFindUnrecognised(_ fields: [String], bundleID: String)
}
