import EligibilityRules
import HTTPTypes
import Hummingbird
import NIOCore
import NIOHTTP1
import OfferService

/// Renders the console's answers from templates, with the frame around a page and the headers that every answer has.
struct ConsolePages: Sendable {
    /// The places that the side bar leads to.
    ///
    /// Each page states its own place, which the side bar marks as the current one.
    enum Place: String {
        case overview, campaigns, segments, catalogue, keys, access, audit, events, verify, sessions, elsewhere
        case trial = "try"
    }

    let templates: ConsoleTemplates
    let apps: AppDirectory
    let system: SystemEnvironment
    /// Whether browsers connect by TLS.
    let isSecure: Bool
    /// The minutes without activity after which a session ends.
    let idleMinutes: Int64

    /// Returns the `ConsoleTime` for one reader, which knows the reader's time zone.
    func time(for visitor: ConsoleVisitor?) -> ConsoleTime {
        ConsoleTime(now: system.now(), zone: visitor?.caller.timeZone ?? "UTC")
    }

    /// Returns a page for a user who is signed in.
    ///
    /// - Parameter app: the app that the page is about; nil if it is about no single app.
    func page(
        _ view: some PageView,
        title: String,
        at place: Place,
        in app: String? = nil,
        for visitor: ConsoleVisitor,
        status: HTTPResponse.Status = .ok
    ) -> Response {
        let frame = FrameView(
            title: title, content: templates.html(view, formToken: visitor.formToken), at: place,
            of: OfferLinks(at: place, in: app, mine: apps.bundleIDs.filter(visitor.caller.mayUse)), for: visitor.caller)
        return response(templates.html(frame, formToken: visitor.formToken), status)
    }

    /// Returns only a part of a page.
    ///
    /// A script in the browser replaces the part that is shown with it.
    func part(_ view: some PageView) -> Response { response(templates.html(view), .ok) }

    /// Returns a page for a user who is not signed in.
    func alone(_ view: some PageView, title: String, status: HTTPResponse.Status = .ok) -> Response {
        response(templates.html(AloneView(title: title, content: templates.html(view))), status)
    }

    /// Returns a problem as a page.
    func problem(_ problem: Problem, requestID: String, for visitor: ConsoleVisitor?) -> Response {
        let view = ProblemView(problem, requestID: requestID)
        let status = HTTPResponse.Status(code: Int(problem.status.code))
        guard let visitor else { return alone(view, title: problem.title, status: status) }
        return page(view, title: problem.title, at: .elsewhere, for: visitor, status: status)
    }

    /// Returns a redirect to another page, which the browser then requests with GET.
    func redirect(to path: String) -> Response {
        var response = response("", .seeOther)
        response.headers[.location] = path
        return response
    }

    /// Returns an asset, which browsers may cache for five minutes.
    func asset(_ bytes: [UInt8], type: String) -> Response {
        var headers = headers
        headers[.contentType] = type
        headers[.cacheControl] = "max-age=300"
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }

    /// Returns a file to download.
    func download(_ body: ResponseBody, type: String, name: String) -> Response {
        var headers = headers
        headers[.contentType] = type
        headers[.contentDisposition] = "attachment; filename=\"\(name)\""
        return Response(status: .ok, headers: headers, body: body)
    }

    private func response(_ html: String, _ status: HTTPResponse.Status) -> Response {
        Response(status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(string: html)))
    }

    private var headers: HTTPFields {
        var headers: HTTPFields = [
            .contentType: "text/html; charset=utf-8", .cacheControl: "no-store", .xContentTypeOptions: "nosniff",
            .contentSecurityPolicy: """
            default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; form-action 'self'; \
            frame-ancestors 'none'; base-uri 'none'
            """,
        ]
        headers[HTTPField.Name("Referrer-Policy")!] = "same-origin"
        headers[HTTPField.Name("X-Frame-Options")!] = "DENY"
        headers[HTTPField.Name("Cross-Origin-Opener-Policy")!] = "same-origin"
        if isSecure { headers[.strictTransportSecurity] = "max-age=31536000" }
        return headers
    }
}

extension ConsolePages: ProblemPages {
    /// Returns a problem as a page. A user who is not signed in is redirected to the sign-in page, which leads back to the
    /// requested page.
    func page(of problem: Problem, _ request: Request, requestID: String, for visitor: ConsoleVisitor?) -> Response {
        guard problem.status == .unauthorized else { return self.problem(problem, requestID: requestID, for: visitor) }
        // After a form, the sign-in leads back to the page at the form's path. The form itself must not be sent again without the
        // user's consent.
        let next = request.method == .get ? request.uri.string : request.uri.path
        let isForm = request.method == .post
        return redirect(to: "/console/sign-in?next=\(PercentEncoding.encoded(next))\(isForm ? "&ended=1" : "")")
    }
}

extension String {
    /// The text as a sentence: its first letter is a capital, and it ends with a full stop.
    var firstUppercased: String { prefix(1).uppercased() + dropFirst() + (hasSuffix(".") ? "" : ".") }
}

/// The frame around a page for a user who is not signed in.
struct AloneView: PageView {
    static let template = "alone"

    let title: String
    /// The HTML of the page.
    let content: String
}

/// A problem as a page.
struct ProblemView: PageView {
    static let template = "problem"

    let title: String
    let detail: String
    let consequence: String
    let requestID: String

    init(_ problem: Problem, requestID: String) {
        title = problem.title
        detail = problem.detail.firstUppercased
        consequence =
            problem.status.code >= 500
            ? "Whether something was saved is not certain; look before you try again." : "Nothing was changed."
        self.requestID = requestID
    }
}
