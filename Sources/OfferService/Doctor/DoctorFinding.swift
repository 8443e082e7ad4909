/// The finding of one check of an app's integration, and the remedy if something is wrong.
package struct DoctorFinding: Equatable, Sendable {
    /// The result of the check.
    package enum State: String, Sendable {
        case good
        /// What was checked works, but it may not be intended.
        case warning
        /// What was checked does not work.
        case problem
        /// The check could not be made, because of another problem.
        case skipped
    }

    /// What was checked: a stable name, such as `server-api`.
    package let subject: String
    package let state: State
    /// The finding as a sentence.
    package let text: String
    /// What to do; nil if nothing needs to be done.
    package let remedy: String?

    package init(_ subject: String, _ state: State, _ text: String, remedy: String? = nil) {
        self.subject = subject
        self.state = state
        self.text = text
        self.remedy = remedy
    }
}
