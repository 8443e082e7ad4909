/// The state of a connection between its requests and its answers.
enum ConnectionState {
    case idle
    /// A handler further down the pipeline answers.
    case passing(requestEnded: Bool, answerEnded: Bool)
    case reading(IncomingRequest)
    /// The head has arrived, and the service decides whether the body may follow.
    case admitting
    case answering
    /// The request is refused, but its answer is delayed. Nothing is read meanwhile.
    case resting
    /// The request was answered before its body was read. The rest is discarded, up to a bound.
    /// The connection then closes if this was the last request.
    case discarding(isLast: Bool)
    /// Given up: requests that still arrive are not carried out.
    case closed

    /// Whether further input from the client is wanted.
    var listens: Bool {
        switch self {
        case .closed, .resting: false
        case .idle, .passing, .reading, .admitting, .answering, .discarding: true
        }
    }

    /// Whether more input can be processed: a request waits for the answer to the one before it.
    var takesMore: Bool { listens && !isWaitedFor }

    /// Whether the client waits for the service, not the service for the client.
    var isWaitedFor: Bool {
        switch self {
        case .admitting, .answering, .passing(requestEnded: true, answerEnded: false): true
        case .idle, .reading, .resting, .discarding, .passing, .closed: false
        }
    }

    /// Whether no part of an unanswered request has arrived.
    var owesNothing: Bool {
        switch self {
        case .idle, .passing(_, answerEnded: true): true
        case .reading, .admitting, .answering, .resting, .discarding, .passing, .closed: false
        }
    }
}
