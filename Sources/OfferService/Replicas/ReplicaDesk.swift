package import OfferStore

/// Lists the processes that serve the store.
package struct ReplicaDesk: Sendable {
    private let store: any ReplicaStore

    /// Reads this store.
    package init(store: any ReplicaStore) { self.store = store }

    /// Every replica that is alive, or died less than a day ago.
    package func comparisons() async throws(StoreError) -> [ReplicaComparison] { ReplicaComparison.all(try await store.roll()) }
}
