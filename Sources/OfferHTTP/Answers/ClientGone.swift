import OfferService

/// An operation was cancelled, because its client ended its side of the connection.
struct ClientGone: Error, FailureDescribing {
    var asFailure: Failure { Failure(.load, "given-up", "a client has gone before its answer") }
}
