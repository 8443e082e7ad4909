import HTTPTypes
package import OfferService

/// The ways into the console.
package struct ConsoleDoor: Sendable {
    package let sessions: ConsoleSessions
    /// Whether browsers connect by TLS.
    package let isSecure: Bool
    private let proxy: ProxySignIn?
    private let observer: any ProxySignInObserver

    /// - Parameters:
    ///   - proxy: the sign-in proxy; nil: a header signs no user in.
    ///   - observer: receives the headers that were refused.
    package init(sessions: ConsoleSessions, isSecure: Bool, proxy: ProxySignIn?, observer: any ProxySignInObserver) {
        self.sessions = sessions
        self.isSecure = isSecure
        self.proxy = proxy
        self.observer = observer
    }

    /// The name of the cookie. Behind TLS, its prefix makes browsers check that only this host set it, by TLS.
    var cookieName: String { isSecure ? "__Host-offersigner" : "offersigner" }

    /// Returns the person that the sign-in proxy names; nil if it names none, or there is no proxy.
    func person(in headers: HTTPFields, from peer: String) -> ProxiedPerson? {
        proxy?.person(in: headers, from: peer) { observer.didRefuse($0, from: peer) }
    }
}

/// Observes refused headers of the sign-in proxy, for the log and the metrics.
package protocol ProxySignInObserver: Sendable {
    /// - Parameter peer: the address of the connection.
    func didRefuse(_ refusal: ProxySignIn.Refusal, from peer: String)
}
