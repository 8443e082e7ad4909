/// The state of a token, with its jobs and its sessions. It only computes: it calls no module and reads no clock.
struct TokenState {
    enum Phase {
        /// No log-in has been tried yet.
        case new
        case up
        /// The sessions are lost, and the maintenance thread is trying to open new ones.
        case reconnecting
        case down(SigningError)
    }

    /// A key that was loaded to sign.
    struct HeldKey {
        let publicKey: KeyHandle
        /// The handle of the private key in the token; nil as long as the key cannot be found or fails its test.
        var handle: UInt?
        var fault: SigningError?
    }

    struct Entry {
        let job: SigningJob
        /// Whether the job was already begun once, and failed then.
        let isSecond: Bool
    }

    /// What a worker does next.
    struct Work {
        let entry: Entry
        let handle: UInt
        let publicKey: KeyHandle
        /// The session to use; nil if the worker must open one.
        let session: UInt?
        let slot: UInt
        let epoch: Int
    }

    /// The result of a worker's job.
    enum Outcome {
        case signed([Signature], session: UInt)
        /// The job has failed. Its session may be invalid, and must not be used again.
        case failed(CryptokiFailure, session: UInt?)
        /// The token has refused to open another session, because it has too many already.
        case noSession
    }

    var phase = Phase.new
    /// How often the sessions were lost. The result of a job that began before the last loss says nothing about the present
    /// sessions.
    private(set) var epoch = 0
    var slot: UInt = 0
    var held: [PKCS11URI: HeldKey] = [:]
    private(set) var jobs: [Entry] = []
    private(set) var underWay: [Int: SigningJob] = [:]
    private var idle: [UInt] = []
    private var stale: [UInt] = []
    private var open = 0
    private var maxOpen = Int.max
    var commands: [@Sendable () -> Void] = []
    /// When the maintenance thread began the call into the module that it is making now; nil if it is making none.
    var callSince: ContinuousClock.Instant?

    /// Adds a job to the queue. If the job is refused, returns the reason; otherwise returns nil.
    mutating func admit(_ job: SigningJob, max: Int) -> SigningError? {
        if case .down(let error) = phase { return error }
        guard let key = held[job.key], key.handle != nil else {
            return held[job.key]?.fault ?? SigningError(.moduleUnavailable, "the key is not there yet")
        }
        guard jobs.count < max else { return SigningError(.moduleBusy, "\(max) signatures wait for the token already") }
        jobs.append(Entry(job: job, isSecond: false))
        return nil
    }

    /// Takes the next job for a worker from the queue; nil if none can be done now.
    mutating func next(for worker: Int) -> Work? {
        // Jobs of a key that cannot be found are passed over, so that they do not delay the jobs of other keys.
        guard case .up = phase, !idle.isEmpty || open < maxOpen,
            let index = jobs.firstIndex(where: { held[$0.job.key]?.handle != nil }),
            let key = held[jobs[index].job.key], let handle = key.handle
        else { return nil }
        let entry = jobs.remove(at: index)
        underWay[worker] = entry.job
        let session = idle.popLast()
        if session == nil { open += 1 }
        return Work(entry: entry, handle: handle, publicKey: key.publicKey, session: session, slot: slot, epoch: epoch)
    }

    /// Records the result of a job. Returns what to report to the job's caller, or nil if the job is tried once more.
    mutating func settle(_ work: Work, _ outcome: Outcome, by worker: Int) -> Result<[Signature], SigningError>? {
        underWay[worker] = nil
        let isCurrent = work.epoch == epoch
        switch outcome {
        case .signed(let signatures, let session):
            if isCurrent { idle.append(session) } else { stale.append(session) }
            return .success(signatures)
        case .noSession:
            if isCurrent {
                open -= 1
                maxOpen = Swift.max(1, open)
            }
            return again(work.entry, mayBeSecond: open > 0, otherwise: "the token gives no session")
        case .failed(let failure, let session):
            if let session { stale.append(session) }
            if isCurrent { lose() }
            return again(work.entry, mayBeSecond: false, otherwise: failure.asSigningError.detail)
        }
    }

    private mutating func again(
        _ entry: Entry,
        mayBeSecond: Bool,
        otherwise detail: String
    ) -> Result<[Signature], SigningError>? {
        if case .down(let error) = phase { return .failure(error) }
        guard !entry.isSecond || mayBeSecond else { return .failure(SigningError(.moduleUnavailable, detail)) }
        jobs.insert(Entry(job: entry.job, isSecond: entry.isSecond || !mayBeSecond), at: 0)
        return nil
    }

    /// Records that all sessions are lost.
    mutating func lose() {
        epoch += 1
        stale += idle
        idle = []
        open = 0
        maxOpen = .max
        if case .up = phase { phase = .reconnecting }
    }

    /// Records that the token is available again, so that new sessions can be opened.
    mutating func recover(in slot: UInt) {
        self.slot = slot
        phase = .up
    }

    /// Records that the token cannot sign. Removes and returns the waiting jobs; the caller must end them with an error.
    mutating func goDown(_ error: SigningError) -> [SigningJob] {
        lose()
        phase = .down(error)
        defer { jobs = [] }
        return jobs.map(\.job)
    }

    /// Returns the sessions that are no longer used, and forgets them. The caller must close them.
    mutating func takeStale() -> [UInt] {
        defer { stale = [] }
        return stale
    }

    /// Returns the jobs whose deadline has passed.
    ///
    /// The waiting ones among them are removed from the queue. The others stay, because a call into the module for them has not
    /// returned yet.
    mutating func takeOverdue(at now: ContinuousClock.Instant) -> (waiting: [SigningJob], underWay: [SigningJob]) {
        let waiting = jobs.prefix { $0.job.deadline <= now }.map(\.job)
        jobs.removeFirst(waiting.count)
        return (waiting, underWay.values.filter { $0.deadline <= now })
    }

    /// Why a key cannot sign now; nil if it can.
    func outage(of key: PKCS11URI, at now: ContinuousClock.Instant, patience: Duration) -> SigningError? {
        if case .down(let error) = phase { return error }
        if let key = held[key], key.handle == nil { return key.fault }
        guard let callSince, now - callSince > patience else { return nil }
        return SigningError(.moduleUnavailable, "the module does not answer")
    }
}
