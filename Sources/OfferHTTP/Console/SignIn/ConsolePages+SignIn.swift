import HTTPTypes
import Hummingbird
import OfferService

extension ConsolePages {
    /// The notice above the fields of the page.
    struct SignInNotice {
        let tone, heading, text: String
    }

    /// Returns the notice that a session has ended.
    ///
    /// - Parameter isKept: whether the submitted form is kept.
    func sessionEnded(isKept: Bool) -> SignInNotice {
        SignInNotice(
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
        notice: SignInNotice? = nil,
        keyError: String? = nil,
        status: HTTPResponse.Status = .ok
    ) -> Response {
        var values: [String: Any] = [
            "host": host, "next": next, "kept": kept, "idleMinutes": "\(idleMinutes)", "resume": false,
            "link": FieldView.optional(link), "keyError": FieldView.optional(keyError ?? ""), "person": false, "notice": false,
        ]
        if let person {
            values["person"] = ["name": person.name, "isKnown": person.isKnown, "isReadable": !person.name.isEmpty]
        }
        if let notice { values["notice"] = ["tone": notice.tone, "heading": notice.heading, "text": notice.text] }
        return alone(.signIn, values, title: "Sign in", status: status)
    }

    /// Submits a kept form again, to a page that asks before it saves anything.
    func resume(_ kept: String, at path: String) -> Response {
        let fields = FormBody(query: kept).fields.map { ["name": $0.name, "value": $0.value] }
        return alone(.signIn, ["resume": ["action": path, "fields": fields] as [String: Any]], title: "You are signed in")
    }
}
