/// The result of verifying a certificate chain.
struct VerifiedChain: Sendable {
    /// The leaf's public key.
    let key: KeyHandle
    /// When all certificates are valid, seconds since 1970.
    let validity: ClosedRange<Int64>
}
