/// Data that processes hold in memory and reload after a change.
public enum ChangeTopic: String, CaseIterable, Sendable {
    /// Access keys.
    case access
    /// Signing keys and their states.
    case keys
    /// The published revisions and standings of campaigns.
    case campaigns
}

extension ChangeTopic {
    /// Makes the number of changes of each topic from the stored numbers; 0 for a topic that is not stored.
    package static func revisions(stored: [(topic: String, number: Int64)]) -> [ChangeTopic: Int64] {
        var revisions = Dictionary(uniqueKeysWithValues: allCases.map { ($0, Int64(0)) })
        for (name, number) in stored {
            if let topic = ChangeTopic(rawValue: name) { revisions[topic] = number }
        }
        return revisions
    }
}

/// Reports changes made by any process. One feed serves all data that processes hold in memory.
public protocol ChangeFeed: Sendable {
    /// The number of changes of each topic, 0 if never changed, in one query that is cheap to repeat.
    func revisions() async throws(StoreError) -> [ChangeTopic: Int64]
}
