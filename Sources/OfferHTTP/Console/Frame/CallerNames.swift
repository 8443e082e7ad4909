import OfferService

/// Names the actors of changes for people.
///
/// The name of an access key is its note.
struct CallerNames: Sendable {
    let directory: AccessDirectory

    /// Returns the notes of access keys by the keys' ids, and names for actors that have no access key, such as the command line.
    ///
    /// - Parameter apps: the apps whose access keys are included; nil for those of every app.
    func all(for apps: Set<String>? = nil) async throws -> [String: String] {
        var names = directory.notes(for: apps).filter { !$0.value.isEmpty }
        names["command-line"] = "the command line"
        names["first-start"] = "the service, at its first start"
        return names
    }
}
