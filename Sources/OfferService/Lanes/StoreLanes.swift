package import NIOCore
package import OfferStore

/// The store lanes of a group of event loops, one for each loop.
package final class StoreLanes: Sendable {
    package let group: any EventLoopGroup
    private let lanes: [ObjectIdentifier: NIOLoopBound<StoreLane>]

    /// Makes the lanes. From then on each lane may only be used on its event loop.
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

    /// The lane of an event loop of the group. It may only be called on that loop.
    package func lane(of eventLoop: any EventLoop) -> StoreLane {
        guard let lane = lanes[ObjectIdentifier(eventLoop)] else { preconditionFailure("a loop of another group") }
        return lane.value
    }
}
