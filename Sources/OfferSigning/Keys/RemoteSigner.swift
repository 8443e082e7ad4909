/// Makes a key's signatures elsewhere than in this process's memory, and later.
protocol RemoteSigner: Sendable {
    typealias Completion = @Sendable (Result<[Signature], SigningError>) -> Void

    /// Why nothing is signed now; nil while all is well.
    var outage: SigningError? { get }

    /// Signs SHA-256 of each message, in order, and calls back once, on a thread of its own; throws at once during an outage.
    func sign(_ messages: [[UInt8]], completion: @escaping Completion) throws(SigningError)
}
