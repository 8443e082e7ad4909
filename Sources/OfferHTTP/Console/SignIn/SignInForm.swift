import OfferService

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
