package import EligibilityRules
package import OfferStore
import ServiceLifecycle
import Synchronization

/// Delivers events to the endpoints.
///
/// Each endpoint has its own pace, so an endpoint that hangs does not delay the others.
/// If there are several processes, only the one with the lease delivers.
package final class EventDispatcher: Service, Sendable {
    /// The maximum number of requests to one endpoint at once.
    private static let width = 16
    private static let interval = Duration.seconds(1)
    private static let lookInterval = Duration.seconds(10)
    private static let slice = 500

    private let endpoints: [EventEndpoint]
    private let attempts: EventAttempts
    private let keep: Int64
    private let now: @Sendable () -> Instant?
    private let lease: Lease?
    private let standing = Mutex<[EventEndpointState]>([])

    /// - Parameters:
    ///   - keep: how long deliveries that are delivered or failed are kept after their last attempt, in ms.
    ///   - now: the time; nil while the clock is not trusted. Then no event is sent, and no delivery is deleted.
    ///   - turn: where this process gets a lease, and the name under which it holds one; nil if the store is in files, because
    ///     then only one process does this work.
    package init(
        endpoints: [EventEndpoint],
        attempts: EventAttempts,
        keep: Int64,
        now: @escaping @Sendable () -> Instant?,
        turn: (leases: any LeaseStore, holder: String)? = nil
    ) {
        self.endpoints = endpoints
        self.attempts = attempts
        self.keep = keep
        self.now = now
        lease = turn.map { Lease($0.leases, "events", holder: $0.holder, uptime: attempts.system.uptime) }
    }

    /// The state of the endpoints, some seconds old at most; empty in a process that does not deliver.
    package var states: [EventEndpointState] { standing.withLock { $0 } }

    /// Delivers until the service stops.
    ///
    /// An event that is being sent when the service stops is sent again after the next start.
    package func run() async throws {
        await attempts.system.rounds { [self] in
            if await holdsTurn() { await deliver() }
            standing.withLock { $0 = [] }
            return Self.interval
        }
        try? await lease?.release()
    }

    /// Delivers as long as this process holds the lease.
    private func deliver() async {
        await withTaskGroup { [self] group in
            for endpoint in endpoints { group.addTask { await self.deliver(to: endpoint) } }
            group.addTask { await self.lookAfter() }
            while !Task.isCancelled, await holdsTurn() { try? await attempts.system.sleep(Self.interval) }
            group.cancelAll()
        }
    }

    private func deliver(to endpoint: EventEndpoint) async {
        // Each task that delivers returns its delivery's number. A task that returns nil has waited a second, after which it is
        // time to look for more deliveries.
        await withTaskGroup(of: Int64?.self) { [self] group in
            var underWay: Set<Int64> = []
            let pause: @Sendable () async -> Int64? = { [system = attempts.system] in
                try? await system.sleep(Self.interval)
                return nil
            }
            group.addTask(operation: pause)
            while !Task.isCancelled {
                // It looks for more only when half of the requests are done, because looking costs as much as a request.
                if underWay.count <= Self.width / 2 {
                    for delivery in await due(endpoint, limit: Self.width + underWay.count)
                    where underWay.count < Self.width && underWay.insert(delivery.number).inserted {
                        group.addTask { [attempts, lease] in
                            // If this process was frozen, another one may have sent this event and later ones.
                            if lease?.isHeld ?? true { await attempts.attempt(delivery, to: endpoint) }
                            return delivery.number
                        }
                    }
                }
                if let number = await group.next()! { underWay.remove(number) } else { group.addTask(operation: pause) }
            }
            group.cancelAll()
        }
    }

    private func due(_ endpoint: EventEndpoint, limit: Int) async -> [EventDelivery] {
        guard let now = now() else { return [] }
        do throws(StoreError) {
            return try await attempts.store.due(endpoint: endpoint.name, at: now, limit: limit)
        } catch {
            if !Task.isCancelled { attempts.failures.note("due events could not be read", .of(error)) }
            return []
        }
    }

    /// Keeps the state of the endpoints up to date, and deletes old deliveries.
    private func lookAfter() async {
        let names = endpoints.map(\.name)
        while !Task.isCancelled {
            do {
                let states = try await attempts.store.endpoints()
                standing.withLock { $0 = states.filter { names.contains($0.endpoint) } }
                while let end = now()?.advanced(by: -keep),
                    try await attempts.store.prune(before: end, keeping: names, limit: Self.slice) >= Self.slice
                {
                    try await attempts.system.sleep(.milliseconds(20))
                }
            } catch {
                if !Task.isCancelled { attempts.failures.note("events could not be looked after", .of(error)) }
            }
            try? await attempts.system.sleep(Self.lookInterval)
        }
    }

    private func holdsTurn() async -> Bool {
        guard let lease else { return true }
        do throws(StoreError) { return try await lease.hold() } catch {
            if !Task.isCancelled { attempts.failures.note("the turn to deliver events could not be had", .of(error)) }
            return false
        }
    }
}
