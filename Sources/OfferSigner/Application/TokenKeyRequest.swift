import AppStoreClient
import NIOHTTP1
import OfferService
import OfferSigning

/// Fetches the public keys of a token issuer from the configured address, and from nowhere else.
struct TokenKeyRequest: Sendable {
    /// The reason for a missing document.
    struct Fault: Error, FailureDescribing {
        let code: String
        let reason: String

        var asFailure: Failure { Failure(.tokenIssuer, code, reason) }
    }

    let url: String

    /// Returns the document: at most `TokenKeySet.maxSize` bytes, within five seconds.
    func document() async throws -> [UInt8] {
        let request = HTTPClientRequest(.GET, url, headers: ["Accept": "application/jwk-set+json, application/json"])
        let response: HTTPClientResponse
        do {
            response = try await HTTPClient.shared.send(request, within: .seconds(5), upTo: TokenKeySet.maxSize)
        } catch {
            switch error.code {
            case .timedOut: throw fault("token-keys-timed-out", "does not answer in time")
            case .tooLong: throw fault("token-keys-too-long", "answers with more than \(TokenKeySet.maxSize) bytes")
            case .unreachable, .cancelled, .addressRefused:
                throw fault("token-keys-unreachable", "cannot be reached: \(error.detail)")
            }
        }
        guard response.status == 200 else {
            throw fault("token-keys-refused", "answers \(response.status); redirects are not followed")
        }
        return response.body
    }

    private func fault(_ code: String, _ reason: String) -> Fault { Fault(code: code, reason: "\(url) \(reason)") }
}
