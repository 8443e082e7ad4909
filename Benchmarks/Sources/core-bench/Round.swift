import NIOCore
import OfferService

/// Requests that follow each other until a deadline. Confined to the lane's event loop.
final class Round {
    private let desk: IssuingDesk
    private let lane: StoreLane
    private let deadline: NIODeadline
    private let done: EventLoopPromise<Int>
    private var answered = 0
    private var inFlight = 0

    init(desk: IssuingDesk, lane: StoreLane, deadline: NIODeadline, done: EventLoopPromise<Int>) {
        self.desk = desk
        self.lane = lane
        self.deadline = deadline
        self.done = done
    }

    /// Sends a request, and the next when it is answered.
    func next() {
        inFlight += 1
        desk.issue(on: lane) { [self] result in
            inFlight -= 1
            if case .failure(let error) = result { return done.fail(error) }
            answered += 1
            if NIODeadline.now() < deadline { next() } else if inFlight == 0 { done.succeed(answered) }
        }
    }
}
