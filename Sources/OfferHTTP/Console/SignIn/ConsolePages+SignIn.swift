import HTTPTypes
import Hummingbird
import OfferService

extension ConsolePages {
    /// Returns the notice that a session has ended.
    ///
    /// - Parameter isKept: whether the submitted form is kept.
    func sessionEnded(isKept: Bool) -> MarkView {
        MarkView(
            tone: "info", heading: "You were signed out",
            text: "After \(idleMinutes) minutes without activity a session ends. Nothing was changed"
                + "\(isKept ? ", and what you wrote is kept" : ""). Sign in to go on.")
    }

    /// Returns the sign-in page.
    ///
    /// - Parameters:
    ///   - next: the page that the sign-in leads to.
    ///   - kept: the form that was sent to that page without a session, unchanged.
    func signIn(
        host: String,
        person: ProxiedPerson?,
        next: String,
        kept: String = "",
        link: String = "",
        notice: MarkView? = nil,
        keyError: String? = nil,
        status: HTTPResponse.Status = .ok
    ) -> Response {
        let form = SignInForm(
            host: host, notice: notice, person: person.map(SignInForm.Person.init), next: next, kept: kept,
            link: link.nonEmpty, keyError: keyError, idleMinutes: Int(idleMinutes))
        return alone(SignInView(form), title: "Sign in", status: status)
    }

    /// Submits a kept form again, to a page that asks before it saves anything.
    func resume(_ kept: String, at path: String) -> Response {
        alone(SignInView(resume: SignInView.KeptForm(kept, at: path)), title: "You are signed in")
    }
}
