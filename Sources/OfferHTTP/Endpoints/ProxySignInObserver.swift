/// Is told of headers of the sign-in proxy that did not count, for the log and the metrics.
package protocol ProxySignInObserver: Sendable {
    /// - Parameter peer: the address that the connection came from.
    func didRefuse(_ refusal: ProxySignIn.Refusal, from peer: String)
}
