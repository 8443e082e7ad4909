import EligibilityRules
import HTTPTypes
import Hummingbird
import NIOCore
import NIOHTTP1
import OfferService

/// Renders answers from templates: the frame around a page, and the headers of every answer of the console.
struct ConsolePages: Sendable {
    /// The places that the side bar leads to.
    enum Place: String {
        case overview, campaigns, catalogue, keys, access, audit, sessions, elsewhere
        case trial = "try"
    }

    let templates: ConsoleTemplates
    let apps: AppDirectory
    let system: SystemEnvironment
    /// Whether browsers connect by TLS.
    let isSecure: Bool
    /// The minutes without activity after which a session ends.
    let idleMinutes: Int64

    /// Returns the times of one reader.
    func time(for visitor: ConsoleVisitor?) -> ConsoleTime {
        ConsoleTime(now: system.now(), zone: visitor?.caller.timeZone ?? "UTC")
    }

    /// Returns a page for a user who is signed in.
    ///
    /// - Parameter app: the app that the page is about; nil: none.
    func page(
        _ name: ConsoleTemplates.Name,
        _ values: [String: Any],
        title: String,
        at place: Place,
        in app: String? = nil,
        for visitor: ConsoleVisitor,
        status: HTTPResponse.Status = .ok
    ) -> Response {
        let caller = visitor.caller
        var own = values
        own["formToken"] = visitor.formToken
        let (keys, access, audit) = (caller.role.may(.keys), caller.role.may(.access), caller.role.may(.audit))
        var frame: [String: Any] = [
            "title": title, "content": templates.text(name, own), "who": caller.note.isEmpty ? "osk_\(caller.id)" : caller.note,
            "role": caller.role.rawValue, "timeZone": caller.timeZone, "formToken": visitor.formToken, "seesKeys": keys,
            "seesAccess": access, "seesAudit": audit, "hasSecurity": keys || access || audit,
            "atOverview": place == .overview, "atKeys": place == .keys, "atAccess": place == .access, "atAudit": place == .audit,
            "atSessions": place == .sessions,
        ]
        frame.merge(offers(at: place, in: app, for: caller)) { $1 }
        return response(templates.text(.layout, frame), status)
    }

    /// Returns a part of a page, with which a script replaces the part that is shown.
    func part(_ name: ConsoleTemplates.Name, _ values: [String: Any]) -> Response { response(templates.text(name, values), .ok) }

    /// Returns the values of the side bar's part about one app: the page's app, or the only one that the reader may see.
    private func offers(at place: Place, in app: String?, for caller: Caller) -> [String: Any] {
        let mine = apps.bundleIDs.filter(caller.mayUse)
        let path = { (app: String) in "/console/apps/\(PercentEncoding.encoded(app))" }
        let base = (app ?? (mine.count == 1 ? mine[0] : nil)).map(path) ?? "/console"
        let scope: [String: Any]? = app.flatMap { app in
            mine.count < 2
                ? nil
                : [
                    "app": app,
                    "others": mine.filter { $0 != app }.map { ["id": $0, "href": "\(path($0))/\(place.rawValue)"] },
                ]
        }
        return [
            "seesCampaigns": caller.role.may(.campaigns), "seesCatalogue": caller.role.may(.catalogue), "offersPath": base,
            "atCampaigns": place == .campaigns, "atTrial": place == .trial, "atCatalogue": place == .catalogue,
            "scope": scope ?? false,
        ]
    }

    /// Returns a page for a user who is not signed in.
    func alone(_ name: ConsoleTemplates.Name, _ values: [String: Any], title: String, status: HTTPResponse.Status = .ok)
        -> Response
    {
        response(templates.text(.alone, ["title": title, "content": templates.text(name, values)]), status)
    }

    /// Returns a problem as a page.
    func problem(_ problem: Problem, requestID: String, for visitor: ConsoleVisitor?) -> Response {
        let values: [String: Any] = [
            "title": problem.title, "detail": problem.detail.firstUppercased,
            "consequence": problem.status.code >= 500
                ? "Whether something was saved is not certain; look before you try again."
                : "Nothing was changed.",
            "requestID": requestID,
        ]
        let status = HTTPResponse.Status(code: Int(problem.status.code))
        guard let visitor else { return alone(.problem, values, title: problem.title, status: status) }
        return page(.problem, values, title: problem.title, at: .elsewhere, for: visitor, status: status)
    }

    /// Returns a redirect to another page, to be requested with GET.
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
    /// Redirects a user who is not signed in to the sign-in page, which leads back to the requested page.
    func page(of problem: Problem, _ request: Request, requestID: String, for visitor: ConsoleVisitor?) -> Response {
        guard problem.status == .unauthorized else { return self.problem(problem, requestID: requestID, for: visitor) }
        // Coming back does not repeat the action of a form.
        let next = request.method == .get ? request.uri.string : request.uri.path
        let isForm = request.method == .post
        return redirect(to: "/console/sign-in?next=\(PercentEncoding.encoded(next))\(isForm ? "&ended=1" : "")")
    }
}

extension String {
    /// The text as a sentence: with a capital letter and a full stop.
    var firstUppercased: String { prefix(1).uppercased() + dropFirst() + (hasSuffix(".") ? "" : ".") }
}
