package import NIOCore
package import OfferStore

/// The store lanes of an event-loop group, one per loop.
package final class StoreLanes: Sendable {
    package let group: any EventLoopGroup
    private let lanes: [ObjectIdentifier: NIOLoopBound<StoreLane>]

    /// Makes the lanes; each belongs to its loop from then on.
    package init(
        group: any EventLoopGroup,
        ledger: any Ledger,
        histories: any HistoryStore,
        examination: BoundedExecutor
    ) async throws {
        var lanes: [ObjectIdentifier: NIOLoopBound<StoreLane>] = [:]
        for eventLoop in group.makeIterator() {
            lanes[ObjectIdentifier(eventLoop)] = try await eventLoop.submit {
                let lane = StoreLane(eventLoop: eventLoop, ledger: ledger, histories: histories, examination: examination)
                return NIOLoopBound(lane, eventLoop: eventLoop)
            }.get()
        }
        self.group = group
        self.lanes = lanes
    }

    /// The lane of a loop of the group. To be called on that loop.
    package func lane(of eventLoop: any EventLoop) -> StoreLane {
        guard let lane = lanes[ObjectIdentifier(eventLoop)] else { preconditionFailure("a loop of another group") }
        return lane.value
    }
}
