/// Observes connections, for the log and the metrics.
package protocol ConnectionObserver: Sendable {
    func didOpenConnection()
    func didCloseConnection()
    func didRefuseConnection(_ refusal: ConnectionLimit.Refusal)
    /// Called if the system has no descriptor or no memory for a connection that waits to be accepted.
    func didFailToAccept(_ reason: String)
}
