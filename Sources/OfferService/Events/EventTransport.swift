/// Sends the requests that deliver events. The one that speaks HTTP is in the composition root.
package protocol EventTransport: Sendable {
    /// Posts a body to an endpoint and waits for its answer, for 15 s in all.
    func post(
        _ body: [UInt8],
        headers: [(name: String, value: String)],
        to endpoint: EventEndpoint
    ) async -> EventAnswer
}
