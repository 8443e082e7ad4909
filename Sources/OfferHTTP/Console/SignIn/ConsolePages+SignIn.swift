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

/// The form of the sign-in page.
struct SignInForm: TemplateView {
    /// The person whom the sign-in proxy names.
    struct Person: TemplateView {
        let name: String
        /// Whether there is an access key of this name.
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
    /// The person; nil without a sign-in proxy.
    let person: Person?
    /// The page that the sign-in leads to.
    let next: String
    /// The form that was sent to that page without a session, unchanged.
    let kept: String
    /// A link that signs in once, in place of an access key.
    let link: String?
    /// What is wrong with the access key.
    let keyError: String?
    /// The minutes without activity after which a session ends.
    let idleMinutes: Int
}

/// The sign-in page.
struct SignInView: PageView {
    static let template = "sign-in"

    /// A kept form, which a script submits again.
    struct KeptForm: TemplateView {
        /// A field of the form.
        struct Field: TemplateView {
            let name: String
            let value: String
        }

        /// The path of its page.
        let action: String
        let fields: [Field]

        /// Reads a kept form.
        init(_ kept: String, at path: String) {
            action = path
            fields = FormBody(query: kept).fields.map { Field(name: $0.name, value: $0.value) }
        }
    }

    /// The form to go on with, after the sign-in.
    let resume: KeptForm?
    /// The form that signs in, before.
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
