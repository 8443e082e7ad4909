import Hummingbird
import OfferService

extension Gate {
    /// Who is signed in to the console with the request's cookie; nil: nobody is.
    func visitor(_ request: Request) async throws -> ConsoleVisitor? {
        guard let console, let cookie = request.cookies[console.cookieName]?.value else { return nil }
        return try await console.sessions.visitor(cookie: cookie)
    }
}
