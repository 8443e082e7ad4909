import AppStore
import EligibilityRules
import NIOCore

/// One request of the App Store that is being answered.
///
/// It is answered once and in time. It is confined to the event loop of its lane.
final class RetentionTurn {
    let requestID: String
    let address: String?
    let lane: StoreLane
    private let observer: any RetentionObserver
    private let failures: FailureLog
    private var reply: ((Result<[UInt8], any Error>) -> Void)?
    private var deadline: Scheduled<Void>?
    /// The app of the request; nil until it is proved that the App Store has sent the request.
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

    /// Makes sure that the request is answered within this time, whatever happens.
    func begin(within time: TimeAmount) {
        let turn = NIOLoopBound(self, eventLoop: lane.eventLoop)
        deadline = lane.eventLoop.scheduleTask(in: time) { turn.value.giveUp() }
    }

    /// Records that the request is genuine, and which app it is about.
    func isAsked(by request: RetentionRequest, of app: App) {
        self.app = app
        if !request.unrecognisedFields.isEmpty {
            observer.didFindUnrecognised(request.unrecognisedFields, bundleID: app.bundleID)
        }
    }

    /// Answers with the decision or, after an error, with the default message.
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
        // If the request was not verified in this time, it gets not even the default message.
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

/// How a request of the App Store ended. The raw values are labels of a metric.
package enum RetentionOutcome: String, Sendable, CaseIterable {
    /// The answer was a signed offer.
    case offer
    /// The answer was another product, with a text.
    case product
    /// The answer was a text: that of a campaign, or the default message.
    case message
    /// The answer was empty, so that the App Store shows what is set in App Store Connect.
    case nothing
    /// The answer was the default message, because something failed.
    case failed
    /// The answer was the default message, because there was no decision in time.
    case late

    /// Recognises the outcome by the body of the answer.
    init(ofBody body: [UInt8]) {
        self =
            if body.isEmpty { .nothing } else if body.starts(with: RetentionChoice.offerPrefix) {
                .offer
            } else if body.starts(with: RetentionChoice.productPrefix) { .product } else { .message }
    }
}
