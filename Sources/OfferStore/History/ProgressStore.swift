/// Remembers how far a background job has come, over restarts.
public protocol ProgressStore: Sendable {
    /// What was last noted under a name; nil if nothing was.
    func progress(_ name: String) async throws(StoreError) -> String?

    /// Notes a text under a name.
    func setProgress(_ name: String, to value: String) async throws(StoreError)
}
