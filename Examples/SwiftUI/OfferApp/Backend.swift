import Foundation
import OfferSignerClient

/// Asks your backend, such as `Examples/node-backend`. The app never asks OfferSigner itself: an access key does not belong into an app.
struct Backend: Sendable {
    /// What the paywall may show to the signed-in user.
    struct Paywall: Decodable, Sendable {
        struct Product: Decodable, Sendable {
            let productId: String
            /// The ids of the promotional offers that the user may have.
            let promotionalOffers: [String]
        }

        /// The user's own UUID, for every purchase.
        let appAccountToken: UUID
        let products: [Product]
    }

    let baseURL: URL
    /// The session of your own sign-in.
    let session: @Sendable () async throws -> String
    var transport: any Transport = URLSessionTransport()

    func paywall(products: [String], signedTransactions: [String]) async throws -> Paywall {
        struct Question: Encodable {
            let products: [String]
            let signedTransactions: [String]
        }
        return try await ask("eligibility", Question(products: products, signedTransactions: signedTransactions))
    }

    /// Asks for a signature for one buy attempt. Ask again for the next one: a signature is never used twice.
    func signature(productId: String, offerId: String, transactionId: String?) async throws -> SignatureResult {
        struct Wanted: Encodable {
            let productId: String
            let offerId: String
            let form: SignatureRequest.Form
            let transactionId: String?
        }
        return try await ask(
            "signatures", Wanted(productId: productId, offerId: offerId, form: .jws, transactionId: transactionId))
    }

    /// Reports a purchase, which is the signed-in user's from then on.
    ///
    /// - Parameter signedTransaction: StoreKit's `jwsRepresentation`.
    func report(_ signedTransaction: String) async throws {
        struct Purchase: Encodable {
            let signedTransaction: String
        }
        struct Reported: Decodable {
            let status: String
        }
        let _: Reported = try await ask("purchases", Purchase(signedTransaction: signedTransaction))
    }

    private func ask<Answer: Decodable>(_ path: String, _ question: some Encodable) async throws -> Answer {
        // One key and one body for all repetitions of this request; each request has a new key.
        let (key, body) = (UUID().uuidString, try JSONEncoder().encode(question))
        for attempt in 1...3 {
            let headers = [
                "Authorization": "Bearer \(try await session())", "Content-Type": "application/json", "Idempotency-Key": key,
            ]
            // The backend gives up after 8 seconds. It gets more, so that its answer arrives.
            let request = TransportRequest(url: baseURL.appendingPathComponent(path), headers: headers, body: body, timeout: 10)
            let answer = try? await transport.send(request)
            if let answer, answer.status == 200 { return try JSONDecoder().decode(Answer.self, from: answer.body) }
            if let answer, ![429, 500, 502, 503, 504].contains(answer.status) {
                throw OfferSignerError.rejected(
                    status: answer.status, try JSONDecoder().decode(Problem.self, from: answer.body))
            }
            // The user waits: a few seconds at most.
            let wait = max(0.25 * pow(2, Double(attempt - 1)), answer?.retryAfter.flatMap(Double.init) ?? 0)
            guard attempt < 3, wait <= 5 else { break }
            try await Task.sleep(nanoseconds: UInt64(wait * .random(in: 0.8...1.2) * 1_000_000_000))
        }
        throw OfferSignerError.unavailable(nil)
    }
}
