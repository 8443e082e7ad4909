/// What a connection is doing: waiting, receiving a request, answering it, or ending.
enum ConnectionState {
    case idle
    /// The request is forwarded to a handler further down the pipeline, which answers it.
    case passing(requestEnded: Bool, answerEnded: Bool)
    case reading(IncomingRequest)
    /// The head of a request has arrived, and the service is deciding whether to read the body.
    case admitting
    case answering
    /// The request is refused, and its answer is sent after a delay. Nothing is read during the delay.
    case resting
    /// The request was answered before its body was read. The rest of the body is read and discarded, up to a limit. If this
    /// was the last request of the connection, the connection is closed after that.
    case discarding(isLast: Bool)
    /// The connection has ended for the service. Requests that still arrive are not carried out.
    case closed

    /// Whether the service wants more input from the client.
    var listens: Bool {
        switch self {
        case .closed, .resting: false
        case .idle, .passing, .reading, .admitting, .answering, .discarding: true
        }
    }

    /// Whether more input can be processed now.
    ///
    /// As long as a request is unanswered, no more input is processed, because answers must have the order of the requests.
    var takesMore: Bool { listens && !isWaitedFor }

    /// Whether it is the service's turn: the client waits for it. If it is false, the service waits for the client.
    var isWaitedFor: Bool {
        switch self {
        case .admitting, .answering, .passing(requestEnded: true, answerEnded: false): true
        case .idle, .reading, .resting, .discarding, .passing, .closed: false
        }
    }

    /// Whether every request is answered, so that not even a part of an unanswered request has arrived.
    var owesNothing: Bool {
        switch self {
        case .idle, .passing(_, answerEnded: true): true
        case .reading, .admitting, .answering, .resting, .discarding, .passing, .closed: false
        }
    }
}
