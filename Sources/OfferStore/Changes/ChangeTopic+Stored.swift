extension ChangeTopic {
    /// The number of changes of each topic, from the stored ones. A topic that is not stored has 0.
    package static func revisions(stored: [(topic: String, number: Int64)]) -> [ChangeTopic: Int64] {
        var revisions = Dictionary(uniqueKeysWithValues: allCases.map { ($0, Int64(0)) })
        for (name, number) in stored {
            if let topic = ChangeTopic(rawValue: name) { revisions[topic] = number }
        }
        return revisions
    }
}
