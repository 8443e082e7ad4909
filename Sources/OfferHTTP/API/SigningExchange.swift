import NIOCore
import OfferService

/// What both signing endpoints share: the idempotency key, the issuer, the answer's form.
struct SigningExchange: Sendable {
    /// Of a request for signatures, in bytes.
    static let maxBodySize = 64 * 1024

    let issuer: OfferIssuer
    let idempotency: IdempotencyDesk

    /// Answers an exchange whose body `read` turns into a request.
    func respond(to exchange: Exchange, path: String, read: () throws(RequestFault) -> SignatureRequest) {
        do {
            let key = try idempotencyKey(of: exchange, path: path)
            let request = try read()
            guard let key else { return issue(request, exchange, nil) { exchange.reply($0.map(Answer.init)) } }
            // A stored answer may be older than what the caller is allowed now.
            try issuer.checkGrants(of: request, for: exchange.caller, app: exchange.app)
            idempotency.answer(
                key,
                caller: exchange.caller,
                lane: exchange.lane,
                reply: { exchange.reply($0.map(Answer.init)) },
                execute: { issue(request, exchange, key, $0) }
            )
        } catch {
            exchange.reply(.failure(error))
        }
    }

    private func issue(
        _ request: SignatureRequest,
        _ exchange: Exchange,
        _ key: OfferIssuer.Idempotency?,
        _ reply: @escaping OfferIssuer.Reply
    ) {
        let app: App
        do { app = try exchange.app() } catch { return reply(.failure(error)) }
        issuer.issue(
            request,
            of: app,
            for: exchange.caller,
            requestID: exchange.requestID,
            address: exchange.address,
            idempotency: key,
            lane: exchange.lane,
            render: SignatureJSON.body,
            reply: reply
        )
    }

    private func idempotencyKey(of exchange: Exchange, path: String) throws(RequestFault) -> OfferIssuer.Idempotency? {
        guard let key = exchange.idempotencyKey else { return nil }
        guard (1...128).contains(key.utf8.count), key.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            let reason = "must be 1 to 128 visible ASCII characters"
            throw .invalidFields([FieldFault(name: "Idempotency-Key", reason: reason)])
        }
        return OfferIssuer.Idempotency(key: key, request: Array(path.utf8) + [0] + exchange.body.readableBytesView)
    }
}

extension Answer {
    fileprivate init(_ answer: OfferIssuer.Issuance) { self = .secret(answer.body, isReplay: answer.isReplay) }
}
