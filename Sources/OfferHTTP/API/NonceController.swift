import EligibilityRules
import OfferService
import WireText

/// `POST /v1/nonces`: nonces to sign with. Writes nothing to the store.
struct NonceController: Endpoint {
    let operation = Operation.issueNonces
    let app = AppScope.named

    let nonces: NonceDesk
    let clock: SigningClock

    func respond(to exchange: Exchange) {
        exchange.reply(Result { Answer.secret(try issue(exchange)) })
    }

    private func issue(_ exchange: Exchange) throws -> [UInt8] {
        let count = try exchange.read { reader throws(RequestFault) in
            reader.optionalInteger("count", in: 1...100) ?? 1
        }
        let app = try exchange.app()
        let now = try clock.now()
        return try JSONWriter.bytes(capacity: 64 + 96 * Int(count)) { json throws in
            json.append(raw: #"{"nonces":["#)
            for index in 0..<count {
                let issued = try nonces.issue(app: app, caller: exchange.caller, now: now)
                json.append(raw: index == 0 ? #"{"nonce":""# : #",{"nonce":""#)
                json.append(unquoted: issued.nonce)
                json.append(raw: #"","expiresAt":"#)
                json.append(issued.expiresAt)
                json.append(raw: "}")
            }
            json.append(raw: #"],"timestamp":"#)
            json.append(now.milliseconds)
            json.append(raw: "}")
        }
    }
}
