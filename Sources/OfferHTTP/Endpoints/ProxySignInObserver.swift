/// Observes refused headers of the sign-in proxy, for the log and the metrics.
package protocol ProxySignInObserver: Sendable {
    /// - Parameter peer: the address of the connection.
    func didRefuse(_ refusal: ProxySignIn.Refusal, from peer: String)
}
