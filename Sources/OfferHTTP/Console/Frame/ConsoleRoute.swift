import HTTPTypes
import Hummingbird
import NIOHTTP1
import OfferService

/// Creates the routes of the console's pages.
///
/// The routes require a session, accept only forms that were made for that session, and show problems as pages.
struct ConsoleRoute: Sendable {
    /// The maximum size, in bytes, of a form that is kept while its user signs in again.
    static let maxKeptForm = 32 * 1024

    let pages: ConsolePages

    /// Returns the route of a page.
    func get(
        _ path: String,
        _ permission: Permission,
        _ respond: @escaping @Sendable (OperationRequest, ConsoleVisitor) async throws -> Response
    ) -> OperationRoute {
        OperationRoute(path: "/console" + path, access: .session(permission), pages: pages) { request in
            guard let visitor = request.visitor else { throw Problem.unauthorized }
            return try await respond(request, visitor)
        }
    }

    /// Returns the route of a submitted form.
    ///
    /// - Parameters:
    ///   - bodyIsSecret: whether the form holds a private key.
    ///   - keepsForm: whether the user's input is kept if the session ends before the form is sent. `respond` then also receives
    ///     forms of another session. It must show such a form again without saving anything.
    func post(
        _ path: String,
        _ permission: Permission,
        maxBodySize: Int = 64 * 1024,
        bodyIsSecret: Bool = false,
        keepsForm: Bool = false,
        _ respond: @escaping @Sendable (OperationRequest, ConsoleVisitor, FormBody) async throws -> Response
    ) -> OperationRoute {
        OperationRoute(
            path: "/console" + path, method: .post, access: .session(permission), maxBodySize: maxBodySize,
            bodyIsSecret: bodyIsSecret, pages: pages,
            signedOut: keepsForm ? signedOut : nil
        ) { request in
            guard let visitor = request.visitor else { throw Problem.unauthorized }
            var form = try request.form
            form.isOfThisSession = visitor.owns(formToken: form["formToken"])
            guard !request.isFromElsewhere, form.isOfThisSession || keepsForm else { throw Problem.foreignForm }
            return try await respond(request, visitor, form)
        }
    }

    /// Returns a sign-in page that keeps the submitted form.
    ///
    /// Returns nil if the form is too large, or comes from another site.
    private func signedOut(_ request: Request, _ person: ProxiedPerson?, _ body: [UInt8]?) async throws -> Response? {
        let host = request.head.authority ?? ""
        guard !request.headers.areFromElsewhere(host: host) else { return nil }
        var body = body
        if body == nil { body = try? await Array(buffer: request.body.collect(upTo: Self.maxKeptForm)) }
        guard let body, body.count <= Self.maxKeptForm else { return nil }
        return pages.signIn(
            host: host, person: person, next: request.uri.path, kept: String(decoding: body, as: UTF8.self),
            notice: pages.sessionEnded(isKept: true), status: .unauthorized)
    }

    /// Returns a route that needs no session.
    func open(
        _ path: String,
        method: HTTPRequest.Method = .get,
        maxBodySize: Int = 16 * 1024,
        _ respond: @escaping @Sendable (OperationRequest) async throws -> Response
    ) -> OperationRoute {
        OperationRoute(
            path: "/console" + path, method: method, access: .open, maxBodySize: method == .post ? maxBodySize : 0, pages: pages
        ) { request in
            if method == .post, request.isFromElsewhere { throw Problem.foreignForm }
            return try await respond(request)
        }
    }
}

extension OperationRequest {
    /// Whether the browser reports that a page of another site sent the request.
    ///
    /// Old browsers do not report it. The token in each form protects the users of all browsers, old ones included.
    var isFromElsewhere: Bool { headers.areFromElsewhere(host: host) }
}

extension HTTPFields {
    /// Whether the browser reports that a page of another site than `host` sent the request.
    fileprivate func areFromElsewhere(host: String) -> Bool {
        if let site = self[HTTPField.Name("Sec-Fetch-Site")!] { return site != "same-origin" && site != "none" }
        guard let origin = self[.origin] else { return false }
        return origin.split(separator: "/").last.map(String.init) != host
    }
}

extension Problem {
    static let foreignForm = Problem(
        status: .forbidden, code: "foreign-form", title: "This form is not of your session",
        detail:
            "the form was sent from another site, or you have signed in again since it was opened; open the page again and repeat"
    )
}
