extension SessionRecord.Kind {
    /// Parses a stored value. Throws `damaged` if it is unknown.
    package init(stored text: String) throws(StoreError) {
        guard let kind = SessionRecord.Kind(rawValue: text) else {
            throw StoreError(.damaged, "a session of the console has no known kind")
        }
        self = kind
    }
}
