import Synchronization

/// Keeps what was made of the records of apps, so that only records that have changed since are read or parsed again.
///
/// The version says whether a record has changed. It may be a number that the store counts up, or the record's bytes.
final class RecordMemory<Version: Equatable & Sendable, Value: Sendable>: Sendable {
    private typealias Kept = (version: Version, value: Value)

    private let apps = Mutex<[String: [String: Kept]]>([:])

    /// Returns the values of all records that an app has now, by the ids of the records.
    ///
    /// - Parameters:
    ///   - records: all records of the app, with their present versions.
    ///   - make: makes the values of the records that are new or have changed. A record for which it makes none is left out.
    func values(
        of bundleID: String,
        _ records: [(id: String, version: Version)],
        make: (_ changed: [String]) async throws -> [String: Value]
    ) async rethrows -> [String: Value] {
        let known = apps.withLock { $0[bundleID] ?? [:] }
        let changed = records.filter { known[$0.id]?.version != $0.version }
        guard !changed.isEmpty || known.count != records.count else { return known.mapValues(\.value) }
        let made = changed.isEmpty ? [:] : try await make(changed.map(\.id))
        var now: [String: Kept] = [:]
        for record in records {
            if let value = made[record.id] {
                now[record.id] = (record.version, value)
            } else if let kept = known[record.id], kept.version == record.version {
                now[record.id] = kept
            }
        }
        apps.withLock { [now] in $0[bundleID] = now }
        return now.mapValues(\.value)
    }
}
