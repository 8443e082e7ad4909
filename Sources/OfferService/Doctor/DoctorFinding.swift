/// One thing that was looked at in an app's integration, and what to do where it is not as it should be.
package struct DoctorFinding: Equatable, Sendable {
    /// How it is.
    package enum State: String, Sendable {
        case good
        /// Works, and may not be what is meant.
        case warning
        /// Does not work.
        case problem
        /// Could not be looked at, because of something else.
        case skipped
    }

    /// What was looked at: a stable name, such as `server-api`.
    package let subject: String
    package let state: State
    /// What was found, in a sentence.
    package let text: String
    /// What to do; nil where there is nothing to.
    package let remedy: String?

    /// Takes the values as they are.
    package init(_ subject: String, _ state: State, _ text: String, remedy: String? = nil) {
        self.subject = subject
        self.state = state
        self.text = text
        self.remedy = remedy
    }
}
