import HTTPTypes
package import OfferService

/// What the gate needs to recognise users of the console: their sessions and, if one is configured, the sign-in proxy.
package struct ConsoleDoor: Sendable {
    package let sessions: ConsoleSessions
    /// Whether browsers connect by TLS.
    package let isSecure: Bool
    private let proxy: ProxySignIn?
    private let observer: any ProxySignInObserver

    /// - Parameters:
    ///   - proxy: the sign-in proxy; nil if no header can sign a user in.
    ///   - observer: is notified of headers of the proxy that were refused.
    package init(sessions: ConsoleSessions, isSecure: Bool, proxy: ProxySignIn?, observer: any ProxySignInObserver) {
        self.sessions = sessions
        self.isSecure = isSecure
        self.proxy = proxy
        self.observer = observer
    }

    /// The name of the session's cookie.
    ///
    /// If browsers connect by TLS, it has the prefix `__Host-`: browsers then accept the cookie only over TLS, and only from this
    /// host.
    var cookieName: String { isSecure ? "__Host-offersigner" : "offersigner" }

    /// Returns the person that the sign-in proxy names; nil if it names none, or there is no proxy.
    func person(in headers: HTTPFields, from peer: String) -> ProxiedPerson? {
        proxy?.person(in: headers, from: peer) { observer.didRefuse($0, from: peer) }
    }
}

/// Observes refused headers of the sign-in proxy, for the log and the metrics.
package protocol ProxySignInObserver: Sendable {
    /// Called for each header that was refused.
    ///
    /// - Parameter peer: the address of the connection that the header came from.
    func didRefuse(_ refusal: ProxySignIn.Refusal, from peer: String)
}
