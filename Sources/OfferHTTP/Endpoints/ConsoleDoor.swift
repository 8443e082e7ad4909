import HTTPTypes
package import OfferService

/// How people come into the console.
package struct ConsoleDoor: Sendable {
    package let sessions: ConsoleSessions
    /// Whether browsers come by TLS.
    package let isSecure: Bool
    private let proxy: ProxySignIn?
    private let observer: any ProxySignInObserver

    /// - Parameters:
    ///   - proxy: nil: nobody is signed in by a header.
    ///   - observer: is told of headers that did not count.
    package init(sessions: ConsoleSessions, isSecure: Bool, proxy: ProxySignIn?, observer: any ProxySignInObserver) {
        self.sessions = sessions
        self.isSecure = isSecure
        self.proxy = proxy
        self.observer = observer
    }

    /// Name of the cookie. Behind TLS its prefix has browsers check that it was set for this host alone, and by TLS.
    var cookieName: String { isSecure ? "__Host-offersigner" : "offersigner" }

    /// Whom the sign-in proxy names; nil if it names nobody, or there is none.
    func person(in headers: HTTPFields, from peer: String) -> ProxiedPerson? {
        proxy?.person(in: headers, from: peer) { observer.didRefuse($0, from: peer) }
    }
}
