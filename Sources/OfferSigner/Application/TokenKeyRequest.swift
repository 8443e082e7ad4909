import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import OfferService
import OfferSigning

/// Fetches the public keys of an issuer of tokens from where the configuration says, and from nowhere else.
struct TokenKeyRequest: Sendable {
    /// Why there is no document.
    struct Fault: Error, FailureDescribing {
        let code: String
        let reason: String

        var asFailure: Failure { Failure(.tokenIssuer, code, reason) }
    }

    private static let timeout = Duration.seconds(5)

    let url: String
    /// One that follows no redirects.
    let client: HTTPClient

    /// The document: at most `TokenKeySet.maxSize` bytes, within five seconds.
    func document() async throws -> [UInt8] {
        do {
            // The client's own deadline ends with the head of the response.
            return try await withThrowingTaskGroup(of: [UInt8].self) { group in
                defer { group.cancelAll() }
                group.addTask { try await fetch() }
                group.addTask {
                    try await Task.sleep(for: Self.timeout)
                    throw fault("token-keys-timed-out", "does not answer in time")
                }
                return try await group.next()!
            }
        } catch let error as Fault {
            throw error
        } catch is NIOTooManyBytesError {
            throw fault("token-keys-too-long", "answers with more than \(TokenKeySet.maxSize) bytes")
        } catch {
            let words = (error as? HTTPClientError)?.shortDescription ?? "\(type(of: error))"
            throw fault("token-keys-unreachable", "cannot be reached (\(words))")
        }
    }

    private func fetch() async throws -> [UInt8] {
        var request = HTTPClientRequest(url: url)
        request.headers.add(name: "Accept", value: "application/jwk-set+json, application/json")
        request.headers.add(name: "User-Agent", value: "OfferSigner")
        let response = try await client.execute(request, timeout: TimeAmount(Self.timeout))
        guard response.status == .ok else {
            throw fault("token-keys-refused", "answers \(response.status.code); redirects are not followed")
        }
        return Array(buffer: try await response.body.collect(upTo: TokenKeySet.maxSize))
    }

    private func fault(_ code: String, _ reason: String) -> Fault { Fault(code: code, reason: "\(url) \(reason)") }
}
