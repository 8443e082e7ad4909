import HTTPTypes
import Hummingbird
import NIOHTTP1
import OfferService

/// Makes routes of the console's pages: who is signed in, forms that are of the same session, problems as pages.
struct ConsoleRoute: Sendable {
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
    func post(
        _ path: String,
        _ permission: Permission,
        maxBodySize: Int = 64 * 1024,
        _ respond: @escaping @Sendable (OperationRequest, ConsoleVisitor, FormBody) async throws -> Response
    ) -> OperationRoute {
        OperationRoute(
            path: "/console" + path, method: .post, access: .session(permission), maxBodySize: maxBodySize, pages: pages
        ) { request in
            guard let visitor = request.visitor else { throw Problem.unauthorized }
            let form = request.form
            guard !request.isFromElsewhere, visitor.owns(formToken: form["formToken"]) else { throw Problem.foreignForm }
            return try await respond(request, visitor, form)
        }
    }

    /// What anybody may look at or send.
    func open(
        _ path: String,
        method: HTTPRequest.Method = .get,
        _ respond: @escaping @Sendable (OperationRequest) async throws -> Response
    ) -> OperationRoute {
        OperationRoute(
            path: "/console" + path, method: method, access: .open, maxBodySize: method == .post ? 16 * 1024 : 0, pages: pages
        ) { request in
            if method == .post, request.isFromElsewhere { throw Problem.foreignForm }
            return try await respond(request)
        }
    }
}

extension OperationRequest {
    /// The form in the body.
    var form: FormBody { FormBody(body, contentType: headers[.contentType] ?? "") }

    /// Whether a browser says that another site's page has sent it. Browsers of today do say; the form's token counts for all.
    var isFromElsewhere: Bool {
        if let site = headers[HTTPField.Name("Sec-Fetch-Site")!] { return site != "same-origin" && site != "none" }
        guard let origin = headers[.origin], origin != "null" else { return false }
        return origin.split(separator: "/").last.map(String.init) != host
    }
}

extension Problem {
    static let foreignForm = Problem(
        status: .forbidden, code: "foreign-form", title: "This form is not of your session",
        detail:
            "the form was sent from another site, or you have signed in anew since it was opened; open the page again and repeat")
}
