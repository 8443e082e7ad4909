import HTTPTypes
import Hummingbird
import OfferService

extension ConsolePages {
    /// Returns the notice that the user's session has ended.
    ///
    /// - Parameter isKept: whether the form that the user has sent is kept.
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
    ///   - kept: the unchanged body of a form that was sent to that page without a session; empty if there is none.
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

    /// Returns a page that submits a kept form again.
    ///
    /// The form's page then shows the input again. Nothing is saved until the user sends the form once more.
    func resume(_ kept: String, at path: String) -> Response {
        alone(SignInView(resume: SignInView.KeptForm(kept, at: path)), title: "You are signed in")
    }
}

/// The form of the sign-in page.
struct SignInForm: TemplateView {
    /// The person whom the sign-in proxy names.
    struct Person: TemplateView {
        let name: String
        /// Whether the configuration names an access key for this person. The key itself may have been revoked.
        let isKnown: Bool
        let isReadable: Bool

        init(_ person: ProxiedPerson) {
            name = person.name
            isKnown = person.isKnown
            isReadable = !person.name.isEmpty
        }
    }

    let host: String
    let notice: MarkView?
    /// The person whom the sign-in proxy names; nil if none is named.
    let person: Person?
    /// The page that the sign-in leads to.
    let next: String
    /// The unchanged body of a form that was sent to that page without a session; empty if there is none.
    let kept: String
    /// The secret of a link with which a user can sign in once without an access key; nil if the page was opened without such a
    /// link.
    let link: String?
    /// What is wrong with the access key that was entered; nil if nothing is.
    let keyError: String?
    /// The minutes without activity after which a session ends.
    let idleMinutes: Int
}

/// The sign-in page.
struct SignInView: PageView {
    static let template = "sign-in"

    /// A kept form, which a script submits again after the sign-in.
    struct KeptForm: TemplateView {
        /// A field of the form.
        struct Field: TemplateView {
            let name: String
            let value: String
        }

        /// The path of the page that the form is sent to.
        let action: String
        let fields: [Field]

        /// Reads a kept form.
        init(_ kept: String, at path: String) {
            action = path
            fields = FormBody(query: kept).fields.map { Field(name: $0.name, value: $0.value) }
        }
    }

    /// The kept form, with which the user continues after the sign-in; nil before the sign-in.
    let resume: KeptForm?
    /// The form with which the user signs in; nil after the sign-in.
    let form: SignInForm?

    init(_ form: SignInForm) {
        resume = nil
        self.form = form
    }

    init(resume: KeptForm) {
        self.resume = resume
        form = nil
    }
}
