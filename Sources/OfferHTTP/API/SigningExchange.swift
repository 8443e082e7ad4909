import NIOCore
import OfferService

/// What both signing endpoints have in common: they check the idempotency key, call the issuer and render its answer.
struct SigningExchange: Sendable {
    let issuer: OfferIssuer

    /// Answers an exchange.
    ///
    /// - Parameters:
    ///   - path: the operation's path. An idempotency key belongs to a path and a body, so the same key with another path is
    ///     refused.
    ///   - read: reads the body as a request for signatures.
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
