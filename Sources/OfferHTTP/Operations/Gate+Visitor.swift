import Hummingbird
import OfferService

extension Gate {
    /// Returns the user who is signed in with the request's cookie; nil if there is none.
    ///
    /// - Parameter person: the person that the sign-in proxy names; nil: none.
    func visitor(_ request: Request, person: ProxiedPerson?) async throws -> ConsoleVisitor? {
        guard let console, let cookie = request.cookies[console.cookieName]?.value else { return nil }
        return try await console.sessions.visitor(cookie: cookie, person: person)
    }
}
