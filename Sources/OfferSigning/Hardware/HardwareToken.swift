import CPKCS11Shim

/// A token, with several threads that sign and one thread that maintains the connection.
///
/// Only `sign` and `outage` may be called on an event loop, because only they do not block.
final class HardwareToken: Sendable {
    /// Number of signing threads, each of which uses one session.
    private static let workers = 8
    /// Maximum number of requests that wait for a session.
    private static let maxWaiting = 1024
    /// How long a request waits for its signatures before it fails.
    private static let patience = Duration.seconds(5)
    /// How long a call of the maintenance thread into the module may take before the token counts as unavailable.
    private static let callPatience = Duration.milliseconds(500)
    /// How long loading a key may take.
    private static let loadPatience = Duration.seconds(15)

    let module: CryptokiModule
    let state = Monitor(TokenState())
    let commanded = Condition()
    private let wanted = Condition()
    private let returned = Condition()
    private let keeper: TokenKeeper

    init(of uri: PKCS11URI) throws(SigningError) {
        let link = try TokenLink(to: uri)
        module = link.module
        keeper = TokenKeeper(link)
    }

    /// Starts the maintenance thread.
    func start() {
        DetachedThread.run { [self] in keeper.run(for: self) }
    }

    /// Starts the signing threads.
    func startWorkers() {
        for number in 0..<Self.workers { DetachedThread.run { [self] in work(as: number) } }
        DetachedThread.run { [self] in watchDeadlines() }
    }

    /// Finds a key, and returns its public half. Blocks for up to `loadPatience`.
    ///
    /// - Parameter purpose: unless it is `sign`, only the public half is looked for, which usually needs no log-in.
    func load(_ uri: PKCS11URI, for purpose: HardwareKeys.Purpose) throws(SigningError) -> KeyHandle {
        let answer = Answer()
        command { [self] in answer.give(Result { () throws(SigningError) in try keeper.load(uri, for: purpose, of: self) }) }
        guard let result = answer.wait(Self.loadPatience) else {
            throw SigningError(.moduleUnavailable, "the module does not answer")
        }
        return try result.get()
    }

    /// Permits one more attempt with a refused PIN.
    func forgive() {
        command { [self] in keeper.forgive() }
    }

    private func command(_ body: @escaping @Sendable () -> Void) {
        state.withLock { $0.commands.append(body) }
        commanded.signal()
    }

    func outage(of key: PKCS11URI) -> SigningError? {
        state.withLock { $0.outage(of: key, at: .now, patience: Self.callPatience) }
    }

    func sign(
        _ messages: [[UInt8]],
        with key: PKCS11URI,
        completion: @escaping RemoteSigner.Completion
    ) throws(SigningError) {
        let job = SigningJob(messages, key: key, deadline: .now + Self.patience, completion: completion)
        if let refusal = state.withLock({ $0.admit(job, max: Self.maxWaiting) }) { throw refusal }
        wanted.signal()
    }

    /// Stops signing, and ends all waiting requests with this error.
    func goDown(_ error: SigningError) {
        let (left, wasUp) = state.withLock { state in
            let wasUp = state.isUp
            return (state.goDown(error), wasUp)
        }
        if wasUp { module.note(inUse: false) }
        for job in left { job.finish(.failure(error)) }
    }

    /// Resumes signing.
    func goUp(in slot: UInt) {
        let wasUp = state.withLock { state in
            defer { state.recover(in: slot) }
            return state.isUp
        }
        if !wasUp { module.note(inUse: true) }
        wanted.broadcast()
    }

    /// Records that the sessions are lost, and makes the maintenance thread open new ones at once.
    func lose() {
        let wasUp = state.withLock { state in
            defer { state.lose() }
            return state.isUp
        }
        if wasUp { module.note(inUse: false) }
        commanded.signal()
    }

    private func work(as number: Int) {
        while true {
            guard let work = state.wait(on: wanted, { $0.next(for: number) }) else { continue }
            let incarnation = module.incarnation
            let outcome = perform(work)
            let (result, wasUp, isUp) = state.withLock { state in
                let wasUp = state.isUp
                let result = state.settle(work, outcome, by: number)
                // If the module was restarted meanwhile, the old sessions must not be closed: their numbers may belong to new
                // sessions.
                if incarnation != module.incarnation { _ = state.takeStale() }
                return (result, wasUp, state.isUp)
            }
            if wasUp, !isUp {
                module.note(inUse: false)
                commanded.signal()
            }
            // The worker has released its session, or has put its job back into the queue, so another worker may have work.
            wanted.signal()
            returned.signal()
            if let result { work.entry.job.finish(result) }
        }
    }

    private func perform(_ work: TokenState.Work) -> TokenState.Outcome {
        var session = work.session
        do throws(CryptokiFailure) {
            let opened = if let session { session } else { try module.openSession(in: work.slot) }
            session = opened
            var signatures: [Signature] = []
            for message in work.entry.job.messages {
                signatures.append(try module.signature(of: message, with: work.handle, work.publicKey, in: opened))
            }
            return .signed(signatures, session: opened)
        } catch {
            return session == nil && error.code == UInt(P11_SESSION_COUNT) ? .noSession : .failed(error, session: session)
        }
    }

    /// Ends each job whose deadline has passed with an error, even if a call into the module never returns.
    private func watchDeadlines() {
        let never = Condition()
        while true {
            let end = ContinuousClock.now + .milliseconds(200)
            _ = state.wait(on: never, until: { _ in end }) { _ in nil as Void? }
            let overdue = state.withLock { $0.takeOverdue(at: .now) }
            guard !overdue.waiting.isEmpty || !overdue.underWay.isEmpty else { continue }
            let error = SigningError(.moduleUnavailable, "the module has not signed within \(Self.patience.components.seconds) s")
            for job in overdue.waiting + overdue.underWay { job.finish(.failure(error)) }
            // If a job that a worker has begun is overdue, the module does not answer. If only waiting jobs are overdue, the
            // queue is just too long.
            if !overdue.underWay.isEmpty, state.withLock(\.isUp) { goDown(error) }
        }
    }

    /// Waits until a worker is free. Returns false if all workers are still inside calls into the module when `patience` is over.
    func waitForWorker(_ patience: Duration) -> Bool {
        let end = ContinuousClock.now + patience
        return state.wait(on: returned, until: { _ in end }) { $0.underWay.count < Self.workers ? () : nil } != nil
    }
}

extension TokenState {
    var isUp: Bool { if case .up = phase { true } else { false } }
}

/// A result for which another thread waits.
private final class Answer: Sendable {
    private let result = Monitor<Result<KeyHandle, SigningError>?>(nil)
    private let given = Condition()

    func give(_ answer: Result<KeyHandle, SigningError>) {
        result.withLock { $0 = answer }
        given.signal()
    }

    func wait(_ patience: Duration) -> Result<KeyHandle, SigningError>? {
        let end = ContinuousClock.now + patience
        return result.wait(on: given, until: { _ in end }) { $0 }
    }
}
