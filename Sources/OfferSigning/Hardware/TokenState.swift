/// Where a token stands, what is to be signed in it, and its sessions. No calls, no clock.
struct TokenState {
    enum Phase {
        /// Nothing has been tried yet.
        case new
        case up
        /// The sessions are lost, and it is being tried whether new ones can be had.
        case reconnecting
        case down(SigningError)
    }

    /// A key that is signed with.
    struct HeldKey {
        let publicKey: KeyHandle
        /// Nil while it is not to be found.
        var handle: UInt?
        var fault: SigningError?
    }

    struct Entry {
        let job: SigningJob
        /// Whether a session was lost to it before.
        let isSecond: Bool
    }

    /// What a worker does next.
    struct Work {
        let entry: Entry
        let handle: UInt
        let publicKey: KeyHandle
        /// Nil: open one.
        let session: UInt?
        let slot: UInt
        let epoch: Int
    }

    /// What became of it.
    enum Outcome {
        case signed([Signature], session: UInt)
        /// The session is not to be used again, and may be none any more.
        case failed(CryptokiFailure, session: UInt?)
        /// The token gives no further session.
        case noSession
    }

    var phase = Phase.new
    /// Grows whenever the sessions are lost.
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
    /// Since when the thread that looks after the token has been in a call.
    var callSince: ContinuousClock.Instant?

    /// Takes a job in, or says why not.
    mutating func admit(_ job: SigningJob, max: Int) -> SigningError? {
        if case .down(let error) = phase { return error }
        guard let key = held[job.key], key.handle != nil else {
            return held[job.key]?.fault ?? SigningError(.moduleUnavailable, "the key is not there yet")
        }
        guard jobs.count < max else { return SigningError(.moduleBusy, "\(max) signatures wait for the token already") }
        jobs.append(Entry(job: job, isSecond: false))
        return nil
    }

    /// The next job, if it can be done now.
    mutating func next(for worker: Int) -> Work? {
        // A key that is not to be found holds up no other.
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

    /// Notes what became of a job; a result that is due to whoever waits for it, or nil if it is tried again.
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

    /// No session is to be used any more.
    mutating func lose() {
        epoch += 1
        stale += idle
        idle = []
        open = 0
        maxOpen = .max
        if case .up = phase { phase = .reconnecting }
    }

    /// New sessions can be had.
    mutating func recover(in slot: UInt) {
        self.slot = slot
        phase = .up
    }

    /// Nothing can be signed; the jobs that are left, which nobody does.
    mutating func goDown(_ error: SigningError) -> [SigningJob] {
        lose()
        phase = .down(error)
        defer { jobs = [] }
        return jobs.map(\.job)
    }

    /// The sessions to be closed.
    mutating func takeStale() -> [UInt] {
        defer { stale = [] }
        return stale
    }

    /// The jobs that nobody waits for any more; those under way among them say that calls do not return.
    mutating func takeOverdue(at now: ContinuousClock.Instant) -> (waiting: [SigningJob], underWay: [SigningJob]) {
        let waiting = jobs.prefix { $0.job.deadline <= now }.map(\.job)
        jobs.removeFirst(waiting.count)
        return (waiting, underWay.values.filter { $0.deadline <= now })
    }

    /// Why nothing is signed with a key now.
    func outage(of key: PKCS11URI, at now: ContinuousClock.Instant, patience: Duration) -> SigningError? {
        if case .down(let error) = phase { return error }
        if let key = held[key], key.handle == nil { return key.fault }
        guard let callSince, now - callSince > patience else { return nil }
        return SigningError(.moduleUnavailable, "the module does not answer")
    }
}
