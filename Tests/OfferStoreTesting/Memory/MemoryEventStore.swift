package import EligibilityRules
import Foundation
package import OfferStore
import Synchronization

/// Events that are forgotten with the process: what the contract means, in its simplest form.
package final class MemoryEventStore: EventStore {
    private struct Delivery {
        let number: Int64
        let endpoint: String
        var event: ServiceEvent
        var state = EventDelivery.State.pending
        var count = 0
        var dueAt: Instant?
        var attempts: [EventAttempt] = []

        var value: EventDelivery {
            EventDelivery(
                number: number, endpoint: endpoint, event: event, state: state, attempts: count, dueAt: dueAt,
                lastAttempt: attempts.last)
        }
    }

    private struct State {
        var deliveries: [Delivery] = []
        var last: Int64 = 0
        var positions: [String: Int64]?
        var disabled: [String: Instant] = [:]

        mutating func add(_ event: ServiceEvent, to endpoints: [String], _ now: Instant) {
            for endpoint in endpoints {
                last += 1
                deliveries.append(Delivery(number: last, endpoint: endpoint, event: event, dueAt: now))
            }
        }

        /// The oldest pending one of each ordering key, unless the endpoint is disabled.
        func turns(_ endpoint: String) -> [Delivery] {
            guard disabled[endpoint] == nil else { return [] }
            var keys: Set<String> = []
            return deliveries.filter {
                $0.endpoint == endpoint && $0.state == .pending && keys.insert($0.event.orderingKey).inserted
            }
        }
    }

    private let state = Mutex(State())
    private let ledger: MemoryLedger
    private let audit: MemoryAudit
    private let purchases: MemoryHistoryFile?

    package init(_ ledger: MemoryLedger, _ audit: MemoryAudit, purchases: MemoryHistoryFile?) {
        (self.ledger, self.audit, self.purchases) = (ledger, audit, purchases)
    }

    package func collect(
        limit: Int,
        for subscriptions: [EventSubscription],
        now: Instant,
        _ render: @escaping Render
    ) async throws(StoreError) -> Int {
        state.withLock { state in
            let positions = state.positions
            guard let positions, !subscriptions.isEmpty else {
                guard positions != nil || !subscriptions.isEmpty else { return 0 }
                state.positions = ends
                purchases?.dropEvents(through: state.positions!["purchases"]!)
                return 0
            }
            let slices = positions.map { source, position in
                EventSlice(source, Array(rows(source, after: position).prefix(limit)), limit: limit)
            }
            let round = EventRound(slices.sorted { $0.source < $1.source }, now: now)
            for (event, endpoints) in round.events(for: subscriptions, render) { state.add(event, to: endpoints, now) }
            state.positions!.merge(round.positions) { $1 }
            purchases?.dropEvents(through: state.positions!["purchases"]!)
            return round.rows.count
        }
    }

    private var ends: [String: Int64] {
        let sources = AuditTable.allCases.map(\.rawValue) + ["purchases"]
        return Dictionary(uniqueKeysWithValues: sources.map { ($0, rows($0, after: 0).last?.position ?? 0) })
    }

    private func rows(_ source: String, after position: Int64) -> [EventRow] {
        switch AuditTable(rawValue: source) {
        case .events:
            audit.content.withLock { $0.lines[.events, default: []] }.filter { $0.id > position }
                .map { EventRow(position: $0.id, at: $0.event.at, .change($0.event)) }
        case .signatures, .refusals: ledger.eventRows(after: position, of: AuditTable(rawValue: source)!)
        case nil: purchases?.eventRows(after: position) ?? []
        }
    }

    package func add(_ event: ServiceEvent, to endpoints: [String], now: Instant) async throws(StoreError) {
        state.withLock { $0.add(event, to: endpoints, now) }
    }

    package func due(endpoint: String, at now: Instant, limit: Int) async throws(StoreError) -> [EventDelivery] {
        let due = state.withLock { $0.turns(endpoint) }.filter { $0.dueAt! <= now }
        return due.sorted { ($0.dueAt!, $0.number) < ($1.dueAt!, $1.number) }.prefix(limit).map(\.value)
    }

    package func record(_ outcomes: [EventAttemptOutcome]) async throws(StoreError) {
        state.withLock { state in
            for outcome in outcomes {
                guard let index = state.deliveries.firstIndex(where: { $0.number == outcome.number && $0.state == .pending })
                else { continue }
                state.deliveries[index].state = outcome.state
                state.deliveries[index].dueAt = outcome.dueAt
                state.deliveries[index].count += 1
                state.deliveries[index].attempts.append(outcome.attempt)
            }
        }
    }

    package func deliveries(
        _ filter: EventFilter,
        before number: Int64?,
        limit: Int
    ) async throws(StoreError) -> [EventDelivery] {
        state.withLock(\.deliveries).reversed().map(\.value).filter { delivery in
            let event = delivery.event
            return delivery.number < number ?? .max && filter.endpoint.map { $0 == delivery.endpoint } ?? true
                && filter.type.map { $0 == event.type } ?? true && filter.state.map { $0 == delivery.state } ?? true
                && filter.customerID.map { $0 == event.customerID } ?? true
                && filter.apps.map { event.partition.map(\.bundleID).map($0.contains) ?? false } ?? true
        }.prefix(limit).map(\.self)
    }

    package func delivery(_ number: Int64) async throws(StoreError) -> EventDelivery? {
        state.withLock { $0.deliveries.first { $0.number == number }?.value }
    }

    package func attempts(of number: Int64) async throws(StoreError) -> [EventAttempt] {
        state.withLock { $0.deliveries.first { $0.number == number }?.attempts ?? [] }
    }

    package func replay(_ numbers: [Int64], at now: Instant) async throws(StoreError) -> Int {
        state.withLock { state in
            let indices = state.deliveries.indices.filter { numbers.contains(state.deliveries[$0].number) }
            for index in indices {
                state.deliveries[index].state = .pending
                state.deliveries[index].count = 0
                state.deliveries[index].dueAt = now
            }
            return indices.count
        }
    }

    package func endpoints() async throws(StoreError) -> [EventEndpointState] {
        state.withLock { state in
            let own = Dictionary(grouping: state.deliveries, by: \.endpoint)
            return Set(own.keys).union(state.disabled.keys).sorted().map { endpoint in
                let pending = own[endpoint, default: []].filter { $0.state == .pending }
                return EventEndpointState(
                    endpoint: endpoint, disabledAt: state.disabled[endpoint], pending: pending.count,
                    failed: own[endpoint, default: []].count { $0.state == .failed },
                    oldestPending: pending.first?.event.at)
            }
        }
    }

    package func setDisabled(
        _ endpoint: String,
        at instant: Instant?,
        audit events: [AuditEvent]
    ) async throws(StoreError) -> Bool {
        state.withLock { state in
            let now = state.disabled[endpoint]
            guard (now == nil) != (instant == nil) else { return false }
            state.disabled[endpoint] = instant
            audit.append(events.telling(disabledAt: now, instant, audit.identity.functions))
            return true
        }
    }

    package func prune(before instant: Instant, keeping endpoints: [String], limit: Int) async throws(StoreError) -> Int {
        state.withLock { state in
            let old = state.deliveries.filter {
                $0.state == .pending
                    ? !endpoints.contains($0.endpoint) && $0.event.at < instant : $0.attempts.last.map { $0.at < instant } ?? true
            }
            let numbers = Set(old.prefix(limit).map(\.number))
            state.deliveries.removeAll { numbers.contains($0.number) }
            return numbers.count
        }
    }

    package func erase(customerIDs: Set<String>, bundleID: String) async throws(StoreError) -> Int {
        state.withLock { state in
            var keys: [String: String] = [:]
            var erased: Set<UUID> = []
            for index in state.deliveries.indices {
                let event = state.deliveries[index].event
                guard event.partition?.bundleID == bundleID else { continue }
                if event.previousCustomerID.map(customerIDs.contains) == true {
                    state.deliveries[index].event = event.blank(orderingKey: event.orderingKey, customerID: event.customerID)
                    erased.insert(event.id)
                }
                guard event.names(customerIDs) else { continue }
                let key = keys[event.orderingKey] ?? "erased/\(UUID())"
                keys[event.orderingKey] = key
                state.deliveries[index].event = event.blank(orderingKey: key)
                erased.insert(event.id)
            }
            return erased.count
        }
    }
}

extension ServiceEvent {
    fileprivate func names(_ ids: Set<String>) -> Bool {
        customerID.map(ids.contains) ?? false || ids.contains { id in partition.map { $0.orderingKey(id) } == orderingKey }
    }

    fileprivate func blank(orderingKey: String, customerID: String? = nil) -> ServiceEvent {
        ServiceEvent(
            id: id, type: type, at: at, partition: partition, orderingKey: orderingKey, customerID: customerID,
            data: ServiceEvent.blank)
    }
}
