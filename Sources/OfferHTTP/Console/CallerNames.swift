import OfferService

/// What people know the holders of access keys by.
struct CallerNames: Sendable {
    let directory: AccessDirectory

    /// Notes, by access key's id, and words for those who have none.
    func all() async throws -> [String: String] {
        var names = directory.notes.filter { !$0.value.isEmpty }
        names["command-line"] = "the command line"
        names["first-start"] = "the service, at its first start"
        return names
    }
}
