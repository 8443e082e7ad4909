/// The state of a connection between its requests and its answers.
enum ConnectionState {
    case idle
    /// The request is forwarded to a handler further down the pipeline, which answers it.
    case passing(requestEnded: Bool, answerEnded: Bool)
    case reading(IncomingRequest)
    /// The head has arrived, and the service decides whether the body may follow.
    case admitting
    case answering
    /// The request is refused, and its answer waits for a delay to end. Nothing is read meanwhile.
    case resting
    /// The request was answered before its body was read. The rest of the body is discarded, up to a bound. If this was the
    /// last request, the connection then closes.
    case discarding(isLast: Bool)
    /// The connection is given up. Requests that still arrive are not carried out.
    case closed

    /// Whether further input from the client is wanted.
    var listens: Bool {
        switch self {
        case .closed, .resting: false
        case .idle, .passing, .reading, .admitting, .answering, .discarding: true
        }
    }

    /// Whether more input can be processed.
    ///
    /// It cannot while a request is unanswered, because the next one waits for that answer.
    var takesMore: Bool { listens && !isWaitedFor }

    /// Whether the client now waits for the service.
    ///
    /// Otherwise the service waits for the client.
    var isWaitedFor: Bool {
        switch self {
        case .admitting, .answering, .passing(requestEnded: true, answerEnded: false): true
        case .idle, .reading, .resting, .discarding, .passing, .closed: false
        }
    }

    /// Whether everything that has arrived is answered: not even a part of an unanswered request has arrived.
    var owesNothing: Bool {
        switch self {
        case .idle, .passing(_, answerEnded: true): true
        case .reading, .admitting, .answering, .resting, .discarding, .passing, .closed: false
        }
    }
}
