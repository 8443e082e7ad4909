extension SessionRecord.Kind {
    /// Takes what is stored. Throws what is damaged.
    package init(stored text: String) throws(StoreError) {
        guard let kind = SessionRecord.Kind(rawValue: text) else {
            throw StoreError(.damaged, "a session of the console has no known kind")
        }
        self = kind
    }
}
