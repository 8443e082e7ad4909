import Hummingbird
import OfferService

extension Gate {
    /// Who is signed in to the console with the request's cookie; nil: nobody is.
    ///
    /// - Parameter person: whom the sign-in proxy names; nil: nobody.
    func visitor(_ request: Request, person: ProxiedPerson?) async throws -> ConsoleVisitor? {
        guard let console, let cookie = request.cookies[console.cookieName]?.value else { return nil }
        return try await console.sessions.visitor(cookie: cookie, person: person)
    }
}
