/// What is left of a certificate chain once it has been verified.
struct VerifiedChain: Sendable {
    /// The leaf's public key.
    let key: KeyHandle
    /// When all its certificates are valid, seconds since 1970.
    let validity: ClosedRange<Int64>
}
