/// What later handlers need of the body of a request that is not for an endpoint.
struct PassedBody {
    /// The largest body that is read, in bytes; 0: none is read.
    var maxSize = 0
    /// Whether the body is kept apart, and only zeros are forwarded.
    var isSecret = false
}
