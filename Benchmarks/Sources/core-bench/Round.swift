import NIOCore
import OfferService

/// Requests that follow each other, as many in flight as the load generator keeps open connections. Confined to the lane's event loop.
final class Round {
    private static let mostInFlight = 64

    private let desk: IssuingDesk
    private let lane: StoreLane
    private let goesOn: (_ sent: Int) -> Bool
    private let done: EventLoopPromise<Int>
    private var sent = 0
    private var inFlight = 0

    private init(
        _ desk: IssuingDesk, on loop: any EventLoop, _ done: EventLoopPromise<Int>, _ goesOn: @escaping (Int) -> Bool
    ) {
        self.desk = desk
        lane = desk.lane(on: loop)
        self.goesOn = goesOn
        self.done = done
    }

    /// Asks until enough is sent and all is answered.
    ///
    /// - Returns: how many requests that were.
    @discardableResult
    static func ask(
        _ desk: IssuingDesk, on loop: any EventLoop, goesOn: @escaping @Sendable (_ sent: Int) -> Bool
    ) async throws -> Int {
        try await loop.flatSubmit {
            let done = loop.makePromise(of: Int.self)
            let round = Round(desk, on: loop, done, goesOn)
            for _ in 0..<mostInFlight { round.next() }
            return done.futureResult
        }.get()
    }

    private func next() {
        (sent, inFlight) = (sent + 1, inFlight + 1)
        desk.issue(on: lane) { [self] result in
            inFlight -= 1
            if case .failure(let error) = result { return done.fail(error) }
            if goesOn(sent) { next() } else if inFlight == 0 { done.succeed(sent) }
        }
    }
}
