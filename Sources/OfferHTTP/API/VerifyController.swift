import OfferService
import WireText

/// `POST /v1/verify`: what is wrong with a signature. Stores nothing.
struct VerifyController: Endpoint {
    let operation = Operation.verifySignature
    let app = AppScope.named
    /// A signature that nothing explains takes over a thousand verifications.
    let cost: Int64 = 20

    let examination: SignatureExamination

    func respond(to exchange: Exchange) {
        do {
            let request = try exchange.read(VerifyController.request)
            examination.examine(request, of: try exchange.app(), for: exchange.caller, lane: exchange.lane) { result in
                exchange.reply(result.map { Answer.secret(VerifyController.body($0)) })
            }
        } catch {
            exchange.reply(.failure(error))
        }
    }

    private static func request(_ reader: ObjectReader) throws(RequestFault) -> SignatureExamination.Request {
        SignatureExamination.Request(
            productID: reader.text("productId"),
            offerID: reader.text("offerId"),
            applicationUsername: reader.optionalText("applicationUsername", mayBeEmpty: true) ?? "",
            nonce: reader.text("nonce"),
            keyID: reader.text("keyIdentifier"),
            signature: reader.signature("signature"),
            timestamp: reader.timestamp("timestamp")
        )
    }

    private static func body(_ findings: [SignatureExamination.Finding]) -> [UInt8] {
        guard !findings.isEmpty else { return Array(#"{"valid":true}"#.utf8) }
        return JSONWriter.bytes { json in
            json.append(raw: #"{"valid":false,"findings":["#)
            for (index, finding) in findings.enumerated() {
                json.append(raw: index == 0 ? #"{"code":"# : #",{"code":"#)
                json.append(finding.code)
                json.append(raw: #","message":"#)
                json.append(finding.message)
                json.append(raw: "}")
            }
            json.append(raw: "]}")
        }
    }
}

extension ObjectReader {
    /// Reads a signature: a text of 1 to 1024 characters.
    fileprivate func signature(_ name: String) -> String {
        guard case .string(let text)? = value(name), (1...1024).contains(text.unicodeScalars.count) else {
            refuse(name, "must be a string of 1 to 1024 characters")
            return ""
        }
        return text
    }

    /// Reads milliseconds since 1970.
    fileprivate func timestamp(_ name: String) -> Int64 {
        if value(name) == nil { refuse(name, "is missing") }
        return optionalInteger(name, in: SigningClock.timestamps) ?? 0
    }
}
