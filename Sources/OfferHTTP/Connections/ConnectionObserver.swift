/// Observes connections, for the log and the metrics.
package protocol ConnectionObserver: Sendable {
    func didOpenConnection()
    func didCloseConnection()
    func didRefuseConnection(_ refusal: ConnectionLimit.Refusal)
    /// The system has no descriptor, or no memory, for a waiting connection.
    func didFailToAccept(_ reason: String)
}
