/// What is wanted further down of the body of a request that is for none of the endpoints.
struct PassedBody {
    /// The largest that is read, in bytes; 0: none is.
    var maxSize = 0
    /// Whether it is kept apart, and only zeros are passed on.
    var isSecret = false
}
