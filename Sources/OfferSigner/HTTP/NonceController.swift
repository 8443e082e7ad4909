import EligibilityRules
import OfferSigning

/// `POST /v1/nonces`: nonces to sign with, at no write at all.
struct NonceController: Endpoint {
    let path = "/v1/nonces"
    let permission: Permission? = .sign

    let apps: AppDirectory
    let nonces: NonceDesk
    let clock: SigningClock

    func respond(to exchange: Exchange) {
        exchange.reply(Result { Answer.secret(try issue(exchange)) })
    }

    private func issue(_ exchange: Exchange) throws -> [UInt8] {
        let (bundleID, count) = try exchange.read(fields: ["bundleId", "count"]) { reader throws(RequestFault) in
            (reader.optionalText("bundleId"), reader.optionalInteger("count", in: 1...100) ?? 1)
        }
        let app = try apps.app(named: bundleID, for: exchange.caller)
        let now = try clock.now()
        var text: [UInt8] = []
        text.reserveCapacity(64 + 96 * Int(count))
        JSONText.append(raw: #"{"nonces":["#, to: &text)
        for index in 0..<count {
            let issued = try nonces.issue(app: app, caller: exchange.caller, now: now)
            JSONText.append(raw: index == 0 ? #"{"nonce":""# : #",{"nonce":""#, to: &text)
            issued.nonce.appendLowerCase(to: &text)
            JSONText.append(raw: #"","expiresAt":"#, to: &text)
            JSONText.append(issued.expiresAt, to: &text)
            JSONText.append(raw: "}", to: &text)
        }
        JSONText.append(raw: #"],"timestamp":"#, to: &text)
        JSONText.append(now.milliseconds, to: &text)
        JSONText.append(raw: "}", to: &text)
        return text
    }
}
