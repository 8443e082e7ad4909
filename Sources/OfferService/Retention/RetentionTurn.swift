import AppStore
import EligibilityRules
import NIOCore

/// One request of the App Store in progress.
///
/// It is answered once and in time, and is confined to the loop of its lane.
final class RetentionTurn {
    let requestID: String
    let address: String?
    let lane: StoreLane
    private let observer: any RetentionObserver
    private let failures: FailureLog
    private var reply: ((Result<[UInt8], any Error>) -> Void)?
    private var deadline: Scheduled<Void>?
    /// Nil until the request is proved to be the App Store's.
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

    /// Ensures that the request is answered within a time, whatever happens.
    func begin(within time: TimeAmount) {
        let turn = NIOLoopBound(self, eventLoop: lane.eventLoop)
        deadline = lane.eventLoop.scheduleTask(in: time) { turn.value.giveUp() }
    }

    /// Records that the request is genuine, and its app.
    func isAsked(by request: RetentionRequest, of app: App) {
        self.app = app
        if !request.unrecognisedFields.isEmpty {
            observer.didFindUnrecognised(request.unrecognisedFields, bundleID: app.bundleID)
        }
    }

    /// Answers with the decision, or with the default message if there was an error.
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

    /// Refuses the request.
    func fail(with error: any Error) { end(with: .failure(error), nil, nil) }

    private func giveUp() {
        // A request that is not verified by now does not even get the default message.
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

/// The outcome of a request of the App Store; the raw values are those of the metric.
package enum RetentionOutcome: String, Sendable, CaseIterable {
    /// A signed offer.
    case offer
    /// A text, of a campaign or the default one.
    case message
    /// An empty answer, so that the App Store shows what is set in App Store Connect.
    case nothing
    /// The default message, because something failed.
    case failed
    /// The default message, because the decision was late.
    case late

    /// From the JSON of an answer.
    init(ofBody body: [UInt8]) {
        self = body.isEmpty ? .nothing : body.starts(with: RetentionChoice.offerPrefix) ? .offer : .message
    }
}
