/// Stores the progress of background jobs across restarts.
public protocol ProgressStore: Sendable {
    /// The text last stored under a name; nil for none.
    func progress(_ name: String) async throws(StoreError) -> String?

    /// Stores a text under a name.
    func setProgress(_ name: String, to value: String) async throws(StoreError)
}
