package import OfferService

/// How people come into the console.
package struct ConsoleDoor: Sendable {
    package let sessions: ConsoleSessions
    /// Whether browsers come by TLS.
    package let isSecure: Bool

    /// Takes the values as they are.
    package init(sessions: ConsoleSessions, isSecure: Bool) {
        self.sessions = sessions
        self.isSecure = isSecure
    }

    /// Name of the cookie. Behind TLS its prefix has browsers check that it was set for this host alone, and by TLS.
    var cookieName: String { isSecure ? "__Host-offersigner" : "offersigner" }
}
