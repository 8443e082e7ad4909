import HTTPTypes
import Hummingbird
import NIOHTTP1
import OfferService

/// Makes routes of the console's pages: who is signed in, forms that are of the same session, problems as pages.
struct ConsoleRoute: Sendable {
    /// Of a form that is kept while its writer signs in anew, in bytes.
    static let maxKeptForm = 32 * 1024

    let pages: ConsolePages

    /// A page to look at.
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

    /// A form that was sent.
    ///
    /// - Parameters:
    ///   - bodyIsSecret: whether it holds a private key.
    ///   - keepsForm: whether what was typed outlives its session: `respond` shows a form of another one again, and saves nothing.
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
            var form = request.form
            form.isOfThisSession = visitor.owns(formToken: form["formToken"])
            guard !request.isFromElsewhere, form.isOfThisSession || keepsForm else { throw Problem.foreignForm }
            return try await respond(request, visitor, form)
        }
    }

    /// Asks for a sign-in, with the form that was sent without one; nil: it is not kept.
    private func signedOut(_ request: Request, _ person: ProxiedPerson?) async throws -> Response? {
        let host = request.head.authority ?? ""
        guard !request.headers.areFromElsewhere(host: host),
            let body = try? await request.body.collect(upTo: Self.maxKeptForm)
        else { return nil }
        return pages.signIn(
            host: host, person: person, next: request.uri.path, kept: String(buffer: body),
            notice: pages.sessionEnded(isKept: true), status: .unauthorized)
    }

    /// What anybody may look at or send.
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
    /// The form in the body.
    var form: FormBody { withBody { FormBody($0, contentType: headers[.contentType] ?? "") } }

    /// Whether a browser says that another site's page has sent it. Browsers of today do say; the form's token counts for all.
    var isFromElsewhere: Bool { headers.areFromElsewhere(host: host) }
}

extension HTTPFields {
    /// Whether a browser says that a page of another site than `host` has sent them.
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
            "the form was sent from another site, or you have signed in anew since it was opened; open the page again and repeat")
}
