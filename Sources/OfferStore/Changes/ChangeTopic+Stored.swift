extension ChangeTopic {
    /// How often each topic was changed, of what is stored of some.
    package static func revisions(stored: [(topic: String, number: Int64)]) -> [ChangeTopic: Int64] {
        var revisions = Dictionary(uniqueKeysWithValues: allCases.map { ($0, Int64(0)) })
        for (name, number) in stored {
            if let topic = ChangeTopic(rawValue: name) { revisions[topic] = number }
        }
        return revisions
    }
}
