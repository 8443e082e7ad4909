package import NIOCore

/// Shares an event loop among callers: a turn of the loop does a bounded amount of work, and waiting callers are served in
/// rotation.
///
/// It is confined to its loop. If a caller asks for more than the loop can do, its requests wait for each other, and between two
/// of them every other waiting caller is served once. A turn measures what a request does before its first look-up or record, not
/// what it does with the answer. No turn begins while the ledger is congested, because the loop would take processor time from
/// its writer.
package final class FairQueue {
    private struct Entry {
        let since: NIODeadline
        let work: () -> Void
    }

    /// The maximum duration of a turn, after which the loop looks at its sockets.
    ///
    /// `sharedTurn` applies if several callers wait or have waited in the last `sharedTurns` turns, otherwise `turn`.
    package static let (turn, sharedTurn) = (TimeAmount.milliseconds(2), TimeAmount.microseconds(500))
    static let sharedTurns = 64
    /// If a caller's oldest waiting request has waited longer than this, the caller's new requests are refused.
    package static let patience = TimeAmount.milliseconds(500)
    // The delay of the timer that begins a turn if `requestTurn` does not.
    static let pause = TimeAmount.microseconds(50)

    private let eventLoop: any EventLoop
    private let now: () -> NIODeadline
    private var waiting: [String: CircularBuffer<Entry>] = [:]
    /// The callers who wait, each once, the next first.
    private var rotation = CircularBuffer<String>()
    private var turnBegan: NIODeadline?
    /// How many turns are still short.
    private var sharedTurnsLeft = 0
    /// Whether a call of `beginTurn` is under way, and whether a timer for `resume` is.
    private var (isTurnRequested, isResumeScheduled) = (false, false)
    /// Arranges that `beginTurn` is called once the loop has looked at its sockets.
    ///
    /// Returns false if it cannot. In that case, or if this is nil, a timer calls `beginTurn`.
    package var requestTurn: (() -> Bool)?
    /// Called after the work of each turn that requests waited for.
    var turnEnded: (() -> Void)?
    /// Whether no turn should begin yet.
    ///
    /// After each reply of the ledger, and after the time of a turn, `resume` checks it again.
    var isCongested: () -> Bool = { false }

    /// Whether requests wait for another turn.
    var isBehind: Bool { !rotation.isEmpty }

    /// - Parameter now: a clock that does not go back; nil for the loop's own.
    package init(eventLoop: any EventLoop, now: (() -> NIODeadline)? = nil) {
        self.eventLoop = eventLoop
        self.now = now ?? { eventLoop.now }
    }

    /// Whether a request may be worked on at once; else it has to `wait`.
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

    /// Does a caller's work when it is the caller's turn.
    ///
    /// To be called only if `mayStart` has returned false.
    package func wait(for caller: String, _ work: @escaping () -> Void) {
        if waiting[caller] == nil {
            rotation.append(caller)
            if rotation.count > 1 { sharedTurnsLeft = FairQueue.sharedTurns }
        }
        waiting[caller, default: CircularBuffer()].append(Entry(since: now(), work: work))
    }

    /// Whether a caller's requests wait so long that no more should be added.
    package func isFull(for caller: @autoclosure () -> String) -> Bool {
        guard isBehind, let first = waiting[caller()]?.first else { return false }
        return now() - first.since > FairQueue.patience
    }

    private func endTurn() {
        turnBegan = nil
        beginTurn()
    }

    /// Works on requests that wait, for as long as a turn lasts.
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
    /// If it is, a timer checks again after the time of a turn, in case the ledger does not reply.
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
