/// Where a connection stands between its requests and its answers.
enum ConnectionState {
    case idle
    /// Somebody further down the pipeline answers.
    case passing(requestEnded: Bool, answerEnded: Bool)
    case reading(IncomingRequest)
    /// The head has come, and it is being found out whether the body may.
    case admitting
    case answering
    /// Refused, and not to be told yet: nothing is read meanwhile.
    case resting
    /// Answered before its body was read: the rest is dropped, up to a bound, and the connection closed if this was the last request.
    case discarding(isLast: Bool)
    /// Given up: whatever still comes is not carried out.
    case closed

    /// Whether anything that the client sends is still wanted.
    var listens: Bool {
        switch self {
        case .closed, .resting: false
        case .idle, .passing, .reading, .admitting, .answering, .discarding: true
        }
    }

    /// Whether more of what came in can be worked on: one request waits for the answer to the one before it.
    var takesMore: Bool { listens && !isWaitedFor }

    /// Whether the client waits for us, not we for the client.
    var isWaitedFor: Bool {
        switch self {
        case .admitting, .answering, .passing(requestEnded: true, answerEnded: false): true
        case .idle, .reading, .resting, .discarding, .passing, .closed: false
        }
    }

    /// Whether nothing of a request that still wants an answer has come in.
    var owesNothing: Bool {
        switch self {
        case .idle, .passing(_, answerEnded: true): true
        case .reading, .admitting, .answering, .resting, .discarding, .passing, .closed: false
        }
    }
}
