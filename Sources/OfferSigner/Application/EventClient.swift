import AppStoreClient
import NIOHTTP1
import OfferService

/// Sends events over HTTP.
struct EventClient: EventTransport {
    private static let timeout = Duration.seconds(15)
    // Nothing is done with an answer's body.
    private static let bodyLimit = 4096

    private let client = HTTPClient(accepts: { PublicAddress.contains($0) })
    private let openClient = HTTPClient()

    func post(
        _ body: [UInt8],
        headers: [(name: String, value: String)],
        to endpoint: EventEndpoint
    ) async -> EventAnswer {
        let request = HTTPClientRequest(
            .POST, endpoint.url, headers: HTTPHeaders(headers.map { ($0.name, $0.value) }), body: body)
        do {
            let response = try await (endpoint.allowsPrivateAddresses ? openClient : client)
                .send(request, within: Self.timeout, upTo: Self.bodyLimit, cutsBody: true)
            return EventAnswer(status: response.status, retryAfter: response.headers.first(name: "Retry-After"))
        } catch {
            return EventAnswer(
                noAnswer: error.code == .addressRefused
                    ? "\(error.detail); to allow it, set allowPrivateAddresses of the endpoint" : error.detail)
        }
    }
}
