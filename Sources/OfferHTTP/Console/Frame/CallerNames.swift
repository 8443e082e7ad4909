import OfferService

/// The names of access keys' holders for people.
struct CallerNames: Sendable {
    let directory: AccessDirectory

    /// Returns notes by access key's id, and words for actors without a key.
    ///
    /// - Parameter apps: the apps whose keys are included; nil: those of every app.
    func all(for apps: Set<String>? = nil) async throws -> [String: String] {
        var names = directory.notes(for: apps).filter { !$0.value.isEmpty }
        names["command-line"] = "the command line"
        names["first-start"] = "the service, at its first start"
        return names
    }
}
