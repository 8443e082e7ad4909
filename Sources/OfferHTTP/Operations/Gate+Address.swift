import HTTPTypes
import Hummingbird

extension Gate {
    /// Returns the client's address, as far as trusted proxies report it.
    ///
    /// - Parameter peer: the address of the connection.
    func clientAddress(_ request: Request, peer: String) -> String {
        policy.proxies.client(peer: peer, forwardedFor: request.headers[values: .forwardedFor])
    }
}

extension HTTPField.Name {
    fileprivate static let forwardedFor = HTTPField.Name("X-Forwarded-For")!
}
