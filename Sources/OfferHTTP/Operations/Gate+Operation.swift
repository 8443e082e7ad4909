import HTTPTypes
import Hummingbird
import OfferService

extension Gate {
    /// Returns the client's address, as trusted proxies report it, or else the address of the connection.
    ///
    /// - Parameter peer: the address of the connection.
    func clientAddress(_ request: Request, peer: String) -> String {
        policy.proxies.client(peer: peer, forwardedFor: request.headers[values: .forwardedFor])
    }
}

extension HTTPField.Name {
    fileprivate static let forwardedFor = HTTPField.Name("X-Forwarded-For")!
}

extension Gate {
    /// Returns the user who is signed in with the request's cookie; nil if there is none.
    ///
    /// - Parameter person: the person whom the sign-in proxy names; nil if it names none.
    func visitor(_ request: Request, person: ProxiedPerson?) async throws -> ConsoleVisitor? {
        guard let console, let cookie = request.cookies[console.cookieName]?.value else { return nil }
        return try await console.sessions.visitor(cookie: cookie, person: person)
    }
}
