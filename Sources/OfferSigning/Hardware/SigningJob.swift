import Synchronization

/// The messages of one request that a token has to sign. The job calls its completion exactly once.
final class SigningJob: Sendable {
    let key: PKCS11URI
    let messages: [[UInt8]]
    /// The job fails if it is not finished by this time.
    let deadline: ContinuousClock.Instant
    private let completion: Mutex<RemoteSigner.Completion?>

    init(
        _ messages: [[UInt8]],
        key: PKCS11URI,
        deadline: ContinuousClock.Instant,
        completion: @escaping RemoteSigner.Completion
    ) {
        self.key = key
        self.messages = messages
        self.deadline = deadline
        self.completion = Mutex(completion)
    }

    /// Calls the completion, unless it was called before.
    func finish(_ result: Result<[Signature], SigningError>) {
        let completion = completion.withLock { completion in
            defer { completion = nil }
            return completion
        }
        completion?(result)
    }
}
