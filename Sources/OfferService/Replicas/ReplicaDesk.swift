package import OfferStore

/// Shows which processes serve the store.
package struct ReplicaDesk: Sendable {
    private let store: any ReplicaStore

    /// Looks into this store.
    package init(store: any ReplicaStore) { self.store = store }

    /// Every replica that lives, or died less than a day ago.
    package func standings() async throws(StoreError) -> [ReplicaStanding] { ReplicaStanding.all(try await store.roll()) }
}
