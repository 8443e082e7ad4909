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
