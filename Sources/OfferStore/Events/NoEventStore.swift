package import EligibilityRules

/// Stands in until a database keeps events.
package struct NoEventStore: EventStore {
    package init() {}
    package func collect(limit: Int, for: [EventSubscription], now: Instant, _ render: @escaping Render) async throws(StoreError)
        -> Int
    { 0 }
    package func add(_ event: ServiceEvent, to endpoints: [String], now: Instant) async throws(StoreError) {}
    package func due(endpoint: String, at now: Instant, limit: Int) async throws(StoreError) -> [EventDelivery] { [] }
    package func nextDue(endpoint: String) async throws(StoreError) -> Instant? { nil }
    package func record(_ outcomes: [EventAttemptOutcome]) async throws(StoreError) {}
    package func deliveries(_ filter: EventFilter, before: Int64?, limit: Int) async throws(StoreError) -> [EventDelivery] { [] }
    package func delivery(_ number: Int64) async throws(StoreError) -> EventDelivery? { nil }
    package func attempts(of number: Int64) async throws(StoreError) -> [EventAttempt] { [] }
    package func replay(_ numbers: [Int64], at now: Instant) async throws(StoreError) -> Int { 0 }
    package func endpoints() async throws(StoreError) -> [EventEndpointState] { [] }
    package func setDisabled(_ endpoint: String, at instant: Instant?) async throws(StoreError) {}
    package func prune(before instant: Instant, limit: Int) async throws(StoreError) -> Int { 0 }
    package func erase(customerIDs: Set<String>, bundleID: String) async throws(StoreError) -> Int { 0 }
}
