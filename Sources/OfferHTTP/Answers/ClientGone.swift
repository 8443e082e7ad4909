import OfferService

/// The error of an operation that was cancelled because its client has closed its side of the connection.
struct ClientGone: Error, FailureDescribing {
    var asFailure: Failure { Failure(.load, "given-up", "a client has gone before its answer") }
}
