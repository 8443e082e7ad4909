import AppStore
import EligibilityRules
import NIOCore

/// One question of the App Store's on its way: answered once, in time. Confined to the loop of its lane.
final class RetentionTurn {
    let requestID: String
    let address: String?
    let lane: StoreLane
    private let observer: any RetentionObserver
    private let failures: FailureLog
    private var reply: ((Result<[UInt8], any Error>) -> Void)?
    private var deadline: Scheduled<Void>?
    /// Nil as long as nobody has proved to be the App Store.
    private var app: App?

    init(
        requestID: String,
        address: String?,
        lane: StoreLane,
        observer: any RetentionObserver,
        failures: FailureLog,
        reply: @escaping (Result<[UInt8], any Error>) -> Void
    ) {
        self.requestID = requestID
        self.address = address
        self.lane = lane
        self.observer = observer
        self.failures = failures
        self.reply = reply
    }

    /// Has it answered by then, whatever happens.
    func begin(within time: TimeAmount) {
        let turn = NIOLoopBound(self, eventLoop: lane.eventLoop)
        deadline = lane.eventLoop.scheduleTask(in: time) { turn.value.giveUp() }
    }

    /// Says that it is genuine, and about whom.
    func isAsked(by request: RetentionRequest, of app: App) {
        self.app = app
        if !request.unrecognisedFields.isEmpty {
            observer.didFindUnrecognised(request.unrecognisedFields, bundleID: app.bundleID)
        }
    }

    /// Takes what was decided. What cannot be decided now is no reason to show nothing.
    func conclude(_ result: Result<OfferIssuer.Issuance, any Error>) {
        guard let app else { return }
        switch result {
        case .success(let issuance): end(with: .success(issuance.body), RetentionOutcome(ofBody: issuance.body), app)
        case .failure(let error):
            failures.note(
                "a retention request gets the default message", .of(error), app: app.bundleID, requestID: requestID)
            end(with: .success(RetentionChoice.fallback(of: app).bytes), .failed, app)
        }
    }

    /// Refuses it.
    func fail(with error: any Error) { end(with: .failure(error), nil, nil) }

    private func giveUp() {
        // Whoever has proved nothing so far gets no message either.
        guard let app else { return fail(with: RetentionError.busy) }
        let failure = Failure(
            .load, "too-slow", "there was no decision within \(RetentionDesk.deadline.nanoseconds / 1_000_000) ms")
        guard reply != nil else { return }
        failures.note("a retention request gets the default message", failure, app: app.bundleID, requestID: requestID)
        end(with: .success(RetentionChoice.fallback(of: app).bytes), .late, app)
    }

    private func end(with result: Result<[UInt8], any Error>, _ outcome: RetentionOutcome?, _ app: App?) {
        guard let reply else { return }
        self.reply = nil
        deadline?.cancel()
        if let outcome, let app { observer.didAnswer(outcome, partition: app.partition) }
        reply(result)
    }
}
