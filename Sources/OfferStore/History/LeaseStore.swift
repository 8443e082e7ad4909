/// Lets one replica at a time do a background job.
public protocol LeaseStore: Sendable {
    /// Takes or renews a lease for so many ms by the store's clock; false while somebody else holds it.
    func acquire(_ name: String, holder: String, milliseconds: Int64) async throws(StoreError) -> Bool

    /// Gives a lease back, if it is the holder's.
    func release(_ name: String, holder: String) async throws(StoreError)
}
