/// Lets one replica at a time do a background job.
public protocol LeaseStore: Sendable {
    /// Takes or renews a lease for this many ms by the store's clock. Returns false while another replica holds it.
    func acquire(_ name: String, holder: String, milliseconds: Int64) async throws(StoreError) -> Bool

    /// Releases a lease if the holder has it.
    func release(_ name: String, holder: String) async throws(StoreError)
}
