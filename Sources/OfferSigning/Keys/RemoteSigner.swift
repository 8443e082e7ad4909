/// Makes signatures asynchronously, outside this process's memory.
protocol RemoteSigner: Sendable {
    typealias Completion = @Sendable (Result<[Signature], SigningError>) -> Void

    /// Why signing fails now; nil if it does not.
    var outage: SigningError? { get }

    /// Signs SHA-256 of each message, in order. Calls back once, on its own thread. Throws at once during an outage.
    func sign(_ messages: [[UInt8]], completion: @escaping Completion) throws(SigningError)
}
