import NIOCore
import OfferStore

/// The ledger lanes of an event-loop group, one a loop.
final class LedgerLanes: Sendable {
    private let lanes: [ObjectIdentifier: NIOLoopBound<LedgerLane>]

    /// Makes the lanes; each belongs to its loop from then on.
    init(group: any EventLoopGroup, ledger: any Ledger) async throws {
        var lanes: [ObjectIdentifier: NIOLoopBound<LedgerLane>] = [:]
        for eventLoop in group.makeIterator() {
            lanes[ObjectIdentifier(eventLoop)] = try await eventLoop.submit {
                NIOLoopBound(LedgerLane(eventLoop: eventLoop, ledger: ledger), eventLoop: eventLoop)
            }.get()
        }
        self.lanes = lanes
    }

    /// The lane of a loop of the group; to be called on that loop.
    func lane(of eventLoop: any EventLoop) -> LedgerLane {
        guard let lane = lanes[ObjectIdentifier(eventLoop)] else { preconditionFailure("a loop of another group") }
        return lane.value
    }
}
