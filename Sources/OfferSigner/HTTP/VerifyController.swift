import NIOHTTP1
import OfferSigning
import OfferStore
import WireText

/// `POST /v1/verify`: what is wrong with a signature. Stores nothing.
struct VerifyController: Endpoint {
    let path = "/v1/verify"
    let permission: Permission? = .verify
    /// A signature that nothing explains takes over a thousand verifications.
    let cost: Int64 = 20

    let apps: AppDirectory
    let keys: KeyRingHolder
    let examination: SignatureExamination
    let system: SystemEnvironment

    private static let fields = [
        "bundleId", "productId", "offerId", "applicationUsername", "nonce", "timestamp", "signature", "keyIdentifier",
    ]

    func respond(to exchange: Exchange) {
        do {
            let (bundleID, read) = try exchange.read(fields: VerifyController.fields, VerifyController.request)
            let app = try apps.app(named: bundleID, for: exchange.caller)
            let presented = read(app.bundleID)
            let visible = apps.bundleIDs.filter(exchange.caller.mayUse)
            let ring = keys.current
            let diagnosis = SignatureDiagnosis(
                keys: ring.keys(for: app.bundleID), bundleIDs: visible, revokedKeyIDs: ring.revokedIDs)
            exchange.lane.perform(
                on: examination.executor,
                { [examination, system] in
                    try await examination.findings(for: presented, by: diagnosis, now: system.now())
                }
            ) { result in
                exchange.reply(result.map { Answer.secret(VerifyController.body($0)) })
            }
        } catch {
            exchange.reply(.failure(error))
        }
    }

    private static func request(
        _ reader: ObjectReader
    ) throws(RequestFault) -> (bundleID: String?, presented: @Sendable (String) -> PresentedSignature) {
        let (productID, offerID) = (reader.text("productId"), reader.text("offerId"))
        let username = reader.optionalText("applicationUsername", mayBeEmpty: true) ?? ""
        let (nonce, keyID) = (reader.text("nonce"), reader.text("keyIdentifier"))
        let signature = reader.signature("signature")
        if reader.value("timestamp") == nil { reader.refuse("timestamp", "is missing") }
        let timestamp = reader.optionalInteger("timestamp", in: SigningClock.timestamps) ?? 0
        let presented = { @Sendable bundleID in
            PresentedSignature(
                bundleID: bundleID,
                keyID: keyID,
                productID: productID,
                offerID: offerID,
                applicationUsername: username,
                nonce: nonce,
                timestamp: timestamp,
                signature: signature
            )
        }
        return (reader.optionalText("bundleId"), presented)
    }

    private static func body(_ findings: [Finding]) -> [UInt8] {
        guard !findings.isEmpty else { return Array(#"{"valid":true}"#.utf8) }
        return JSONWriter.bytes { json in
            json.append(raw: #"{"valid":false,"findings":["#)
            for (index, finding) in findings.enumerated() {
                json.append(raw: index == 0 ? #"{"code":"# : #",{"code":"#)
                json.append(finding.code.rawValue)
                json.append(raw: #","message":"#)
                json.append(finding.message)
                json.append(raw: "}")
            }
            json.append(raw: "]}")
        }
    }
}

extension ObjectReader {
    /// A signature's text: whatever it is, up to 1024 characters.
    fileprivate func signature(_ name: String) -> String {
        guard case .string(let text)? = value(name), (1...1024).contains(text.unicodeScalars.count) else {
            refuse(name, "must be a string of 1 to 1024 characters")
            return ""
        }
        return text
    }
}
