import HTTPTypes
import Hummingbird

extension Gate {
    /// The client's address, as far as trusted proxies tell it.
    ///
    /// - Parameter peer: the address that the connection comes from.
    func clientAddress(_ request: Request, peer: String) -> String {
        proxies.client(peer: peer, forwardedFor: request.headers[values: .forwardedFor])
    }
}

extension HTTPField.Name {
    fileprivate static let forwardedFor = HTTPField.Name("X-Forwarded-For")!
}
