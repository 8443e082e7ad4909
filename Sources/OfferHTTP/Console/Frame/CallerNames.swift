import OfferService

/// What people know the holders of access keys by.
struct CallerNames: Sendable {
    let directory: AccessDirectory

    /// Notes, by access key's id, and words for those who have none.
    ///
    /// - Parameter apps: whose keys are meant; nil: those of every app.
    func all(for apps: Set<String>? = nil) async throws -> [String: String] {
        var names = directory.notes(for: apps).filter { !$0.value.isEmpty }
        names["command-line"] = "the command line"
        names["first-start"] = "the service, at its first start"
        return names
    }
}
