package import NIOCore

/// Shares an event loop fairly among callers. A turn of the loop does a bounded amount of work, and callers that wait are served
/// in rotation.
///
/// It is confined to its event loop. If a caller asks for more than the loop can do, its requests wait for each other, and
/// between two of them every other waiting caller is served once. The length of a turn includes what a request does before its
/// first look-up or record, but not what it does with the answer. No turn begins while the ledger is congested, because the loop
/// would take processor time from the thread that writes the ledger.
package final class FairQueue {
    private struct Entry {
        let since: NIODeadline
        let work: () -> Void
    }

    /// The maximum duration of a turn. After that the loop looks at its sockets.
    ///
    /// It is `sharedTurn` if several callers wait, or have waited in the last `sharedTurns` turns, and otherwise `turn`.
    package static let (turn, sharedTurn) = (TimeAmount.milliseconds(2), TimeAmount.microseconds(500))
    static let sharedTurns = 64
    /// If a caller's oldest waiting request has waited longer than this, the caller's new requests are refused.
    package static let patience = TimeAmount.milliseconds(500)
    // The delay of the timer that begins a turn when `requestTurn` cannot.
    static let pause = TimeAmount.microseconds(50)

    private let eventLoop: any EventLoop
    private let now: () -> NIODeadline
    private var waiting: [String: CircularBuffer<Entry>] = [:]
    /// The callers that wait, each once. The first one is served next.
    private var rotation = CircularBuffer<String>()
    private var turnBegan: NIODeadline?
    /// How many more turns have the duration `sharedTurn`.
    private var sharedTurnsLeft = 0
    /// Whether a turn was requested and has not begun, and whether a timer for `resume` is running.
    private var (isTurnRequested, isResumeScheduled) = (false, false)
    /// Arranges for `beginTurn` to be called as soon as the loop has looked at its sockets.
    ///
    /// It returns false if it cannot do that. In this case, or if this property is nil, a timer calls `beginTurn`.
    package var requestTurn: (() -> Bool)?
    /// Is called after each turn, when the work of its waiting requests is done.
    var turnEnded: (() -> Void)?
    /// Whether no turn should begin yet, because the ledger is congested.
    ///
    /// `resume` checks it again after each reply of the ledger, and after the duration of a turn.
    var isCongested: () -> Bool = { false }

    /// Whether requests wait for a turn.
    var isBehind: Bool { !rotation.isEmpty }

    /// - Parameter now: a clock that does not go back; nil for the clock of the event loop.
    package init(eventLoop: any EventLoop, now: (() -> NIODeadline)? = nil) {
        self.eventLoop = eventLoop
        self.now = now ?? { eventLoop.now }
    }

    /// Whether a request may be worked on at once. If not, it has to `wait`.
    package func mayStart() -> Bool {
        guard !isBehind, !mustPause() else { return false }
        let now = now()
        guard let turnBegan else {
            turnBegan = now
            let queue = NIOLoopBound(self, eventLoop: eventLoop)
            eventLoop.execute { queue.value.endTurn() }
            return true
        }
        return now - turnBegan < length
    }

    /// Does the work of a caller as soon as it is the caller's turn.
    ///
    /// It may only be called after `mayStart` has returned false.
    package func wait(for caller: String, _ work: @escaping () -> Void) {
        if waiting[caller] == nil {
            rotation.append(caller)
            if rotation.count > 1 { sharedTurnsLeft = FairQueue.sharedTurns }
        }
        waiting[caller, default: CircularBuffer()].append(Entry(since: now(), work: work))
    }

    /// Whether the requests of a caller have waited so long that no more should be added.
    package func isFull(for caller: @autoclosure () -> String) -> Bool {
        guard isBehind, let first = waiting[caller()]?.first else { return false }
        return now() - first.since > FairQueue.patience
    }

    private func endTurn() {
        turnBegan = nil
        beginTurn()
    }

    /// Works on waiting requests until the turn is over.
    package func beginTurn() {
        isTurnRequested = false
        guard isBehind, !mustPause() else { return }
        let end = now() + length
        if sharedTurnsLeft > 0 { sharedTurnsLeft -= 1 }
        repeat { workOnNext() } while isBehind && !isCongested() && now() < end
        turnEnded?()
        resume()
    }

    /// Requests a turn if requests wait for one.
    func resume() {
        guard isBehind, turnBegan == nil, !isTurnRequested, !mustPause() else { return }
        isTurnRequested = true
        if requestTurn?() == true { return }
        let queue = NIOLoopBound(self, eventLoop: eventLoop)
        eventLoop.scheduleTask(in: FairQueue.pause) { queue.value.beginTurn() }
    }

    private var length: TimeAmount { sharedTurnsLeft > 0 ? FairQueue.sharedTurn : FairQueue.turn }

    /// Whether the ledger is congested.
    ///
    /// If it is, a timer checks again after the duration of a turn, because the ledger may not reply meanwhile.
    private func mustPause() -> Bool {
        guard isCongested() else { return false }
        guard !isResumeScheduled else { return true }
        isResumeScheduled = true
        let queue = NIOLoopBound(self, eventLoop: eventLoop)
        eventLoop.scheduleTask(in: FairQueue.turn) {
            queue.value.isResumeScheduled = false
            queue.value.resume()
        }
        return true
    }

    private func workOnNext() {
        let caller = rotation.removeFirst()
        guard let entry = waiting[caller]?.popFirst() else { return }
        if waiting[caller]?.isEmpty ?? true { waiting[caller] = nil } else { rotation.append(caller) }
        entry.work()
    }
}
