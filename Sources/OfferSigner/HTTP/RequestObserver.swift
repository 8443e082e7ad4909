/// Is told of every finished request, for the log and the metrics.
protocol RequestObserver: Sendable {
    func didFinish(_ record: RequestRecord)
}
