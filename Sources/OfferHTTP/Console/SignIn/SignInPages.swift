import HTTPTypes
import Hummingbird
import OfferService

/// Sign-in to the console, and sign-out.
struct SignInPages: Sendable {
    // The sign-in form may contain a kept form as one of its fields. The kept form's percent escapes are then escaped once more,
    // so it takes more room.
    private static let maxForm = 4 * ConsoleRoute.maxKeptForm

    /// The page that a sign-in leads to, and the kept form that is then submitted there; `kept` is empty if there is no form.
    private typealias Way = (next: String, kept: String)

    let route: ConsoleRoute
    let door: ConsoleDoor
    let audit: AuditLog

    private var sessions: ConsoleSessions { door.sessions }
    private var pages: ConsolePages { route.pages }

    var routes: [OperationRoute] {
        [
            route.open("/sign-in") { request in
                let query = try request.query(["next", "link", "ended"])
                let notice = query["ended"] == nil ? nil : pages.sessionEnded(isKept: false)
                return page(request, (query["next"] ?? "", ""), link: query["link"] ?? "", notice: notice)
            },
            route.open("/sign-in", method: .post, maxBodySize: Self.maxForm, signIn),
            route.post("/sign-out", .console) { _, visitor, _ in
                try await sessions.signOut(visitor)
                return signedOut()
            },
            route.get("/sessions", .console) { _, visitor in try await list(visitor) },
            route.post("/sessions", .console) { _, visitor, _ in
                _ = try await sessions.signOutEverywhere(visitor)
                return signedOut()
            },
        ]
    }

    private func signIn(_ request: OperationRequest) async throws -> Response {
        let form = try request.form
        let (link, way) = (form["link"], Way(form["next"], Self.kept(form)))
        let source = SignInSource(
            address: request.address, userAgent: request.headers[.userAgent] ?? "", lacksCertificate: request.lacksCertificate)
        do {
            let (cookie, caller) =
                if let person = request.person { try await sessions.signIn(person, from: source) } else if link.isEmpty {
                    try await sessions.signIn(accessKey: form["key"].filter { !$0.isWhitespace }, from: source)
                } else { try await sessions.signIn(link: link, from: source) }
            // The sign-in is recorded before the browser receives the cookie, so that no sign-in is missing from the audit log.
            try await audit.recordSignIn(
                request.person.map { "by the sign-in proxy, as \($0.name)" }
                    ?? (link.isEmpty ? "with an access key" : "with a link"),
                by: Origin(actor: caller.id, requestID: request.requestID, address: request.address))
            let target = Self.own(way.next)
            let isResumed = !way.kept.isEmpty && target.hasPrefix("/console/apps/")
            var response = isResumed ? pages.resume(way.kept, at: target) : pages.redirect(to: target)
            response.headers[.setCookie] = self.cookie(cookie)
            return response
        } catch let error as SignInError {
            return refusal(error, request, way)
        }
    }

    /// Returns the kept form; empty if there is none, or if it is larger than any form that the console keeps.
    private static func kept(_ form: FormBody) -> String {
        let kept = form["kept"]
        return kept.utf8.count > ConsoleRoute.maxKeptForm ? "" : kept
    }

    private func refusal(_ error: SignInError, _ request: OperationRequest, _ way: Way) -> Response {
        switch error {
        case .wrongKey:
            page(
                request, way, keyError: "This key does not work. It is mistyped, expired or revoked.",
                status: .unprocessableContent)
        case .notForPeople(let role):
            wrong(
                "This key is for programs: its role is \(role.rawValue). Ask security or an admin for a key of your own.",
                request, way)
        case .certificateNeeded:
            page(
                request, way,
                notice: MarkView(
                    tone: "warn", heading: "A client certificate is needed",
                    text: "Keys of this role work only in a browser with a client certificate that is valid here."),
                status: .unprocessableContent)
        case .unknownPerson:
            // If the configuration names no access key for the person, the page says so anyway, and no notice is needed.
            page(
                request, way, notice: request.person?.isKnown == true ? Self.endedKey : nil, status: .unprocessableContent)
        case .linkUsed:
            page(
                request, way,
                notice: MarkView(
                    tone: "warn", heading: "This link does not work any more",
                    text:
                        "A link works once, within ten minutes. Make another with offersigner console link, or use your key."
                ),
                status: .unprocessableContent)
        case .tooManyTries(let seconds):
            page(
                request, way,
                notice: MarkView(
                    tone: "warn", heading: "Too many tries from this address", text: "Try again in \(seconds) seconds."),
                status: .tooManyRequests)
        }
    }

    /// Returns the sign-in page with the text beside the input for the access key.
    ///
    /// If the sign-in proxy names a person, the page has no such input. The text is then shown as a notice.
    private func wrong(_ text: String, _ request: OperationRequest, _ way: Way) -> Response {
        let notice = request.person.map { _ in
            MarkView(tone: "warn", heading: "You cannot sign in here", text: text)
        }
        return page(request, way, notice: notice, keyError: text, status: .unprocessableContent)
    }

    private static let endedKey = MarkView(
        tone: "warn", heading: "You cannot sign in here",
        text: "The access key for your name is revoked, has expired or does not exist.")

    private func page(
        _ request: OperationRequest,
        _ way: Way,
        link: String = "",
        notice: MarkView? = nil,
        keyError: String? = nil,
        status: HTTPResponse.Status = .ok
    ) -> Response {
        pages.signIn(
            host: request.host, person: request.person, next: way.next, kept: way.kept, link: link, notice: notice,
            keyError: keyError, status: status)
    }

    private func list(_ visitor: ConsoleVisitor) async throws -> Response {
        let view = SessionsView(
            try await sessions.sessions(of: visitor), of: visitor.caller, idleMinutes: pages.idleMinutes,
            maxHours: sessions.limits.absolute / 3_600_000, pages.time(for: visitor))
        return pages.page(view, title: "Your sessions", at: .sessions, for: visitor)
    }

    private func signedOut() -> Response {
        var response = pages.redirect(to: "/console/sign-in")
        response.headers[.setCookie] = cookie("") + "; Max-Age=0"
        return response
    }

    private func cookie(_ value: String) -> String {
        "\(door.cookieName)=\(value); Path=/; HttpOnly; SameSite=Strict\(door.isSecure ? "; Secure" : "")"
    }

    /// Returns the path if it belongs to the console, and otherwise the path of the overview.
    ///
    /// A path with `..` does not count as one of the console, because it can lead a browser to another part of the server, even
    /// if the dots are escaped.
    private static func own(_ path: String) -> String {
        let isOfConsole =
            path.hasPrefix("/console/") && !path.contains("\\") && !path.contains("//")
            && path.utf8.allSatisfy { (0x21...0x7E).contains($0) }
            && !path.lowercased().replacing("%2e", with: ".").split(separator: "/").contains { [".", ".."].contains($0) }
        return isOfConsole ? path : "/console/"
    }
}

/// The page that lists the reader's own sessions.
struct SessionsView: PageView {
    static let template = "sessions"

    struct Row: TemplateView {
        let since: RichText
        let seen: RichText
        let address: String
        let userAgent: String
        /// Whether this is the session in which the reader is looking at the page.
        let isThis: Bool
    }

    /// The note of the reader's access key.
    let who: String
    /// The minutes without activity after which a session ends.
    let idleMinutes: Int
    /// The hours after which a session ends even if it is used.
    let maxHours: Int
    /// The number of sessions, for people.
    let count: String
    let now: RichText
    let sessions: [Row]

    init(_ sessions: [ConsoleSession], of caller: Caller, idleMinutes: Int64, maxHours: Int64, _ time: ConsoleTime) {
        who = caller.note
        self.idleMinutes = Int(idleMinutes)
        self.maxHours = Int(maxHours)
        count = ConsoleTime.count(sessions.count, "session")
        now = time.at(time.now)
        self.sessions = sessions.map {
            Row(
                since: time.at($0.signedInAt, withZone: false), seen: time.live($0.lastSeenAt, withZone: false),
                address: $0.address, userAgent: $0.userAgent, isThis: $0.isThis)
        }
    }
}
