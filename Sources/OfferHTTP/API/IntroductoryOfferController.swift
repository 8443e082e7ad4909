import NIOCore
import OfferService

/// `POST /v1/introductory-offers/signatures`: overrides of introductory-offer eligibility, signed as JWS.
struct IntroductoryOfferController: Endpoint {
    let path = "/v1/introductory-offers/signatures"
    let access = OperationAccess.needsOrEndUser(.sign)
    let app = AppScope.named
    let maxBodySize = SigningExchange.maxBodySize
    let signing: SigningExchange

    func respond(to exchange: Exchange) {
        signing.respond(to: exchange, path: path) { () throws(RequestFault) in
            try exchange.read(fields: ["bundleId", "customerId", "environment", "products"], IntroductoryOfferController.request)
        }
    }

    private static func request(_ reader: ObjectReader) throws(RequestFault) -> SignatureRequest {
        let fields = ["productId", "transactionId", "allow"]
        let items = reader.objects("products", count: 1...20, fields: fields).map { product in
            if !product.has("allow") { product.refuse("allow", "is missing; say true, false or null") }
            return SignatureRequest.Item(
                productID: product.text("productId"),
                purpose: .introductoryOffer(
                    transactionID: product.transactionID("transactionId"), allowed: product.optionalBool("allow")),
                nonce: nil
            )
        }
        return SignatureRequest(
            customer: CustomerReference(customerID: reader.optionalText("customerId")),
            form: .jws,
            items: items
        )
    }
}

/// The common part of both signing endpoints: the idempotency key's form, the issuer, the answer's form.
struct SigningExchange: Sendable {
    /// The maximum size of a request for signatures, in bytes.
    static let maxBodySize = 64 * 1024

    let issuer: OfferIssuer

    /// Answers an exchange whose body `read` turns into a request.
    func respond(to exchange: Exchange, path: String, read: () throws(RequestFault) -> SignatureRequest) {
        do {
            let key = try idempotencyKey(of: exchange, path: path)
            issuer.issue(
                try read(), of: try exchange.app(), for: exchange.caller, from: exchange.supplier, idempotency: key,
                lane: exchange.lane, render: SignatureJSON.body, reply: { exchange.reply($0.map(Answer.init)) })
        } catch {
            exchange.reply(.failure(error))
        }
    }

    private func idempotencyKey(of exchange: Exchange, path: String) throws(RequestFault) -> Idempotency? {
        guard let key = exchange.idempotencyKey else { return nil }
        guard (1...128).contains(key.utf8.count), key.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            let reason = "must be 1 to 128 visible ASCII characters"
            throw .invalidFields([FieldFault(name: "Idempotency-Key", reason: reason)])
        }
        return Idempotency(key: key, request: Array(path.utf8) + [0] + exchange.body.readableBytesView)
    }
}

extension Answer {
    fileprivate init(_ answer: OfferIssuer.Issuance) { self = .secret(answer.body, isReplay: answer.isReplay) }
}
