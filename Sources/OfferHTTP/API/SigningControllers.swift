import EligibilityRules
import FoundationEssentials
import NIOCore
import NIOHTTP1
import OfferService
import WireText

/// `POST /v1/nonces`: issues nonces for later signatures.
///
/// It writes nothing to the store.
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
            reader.optionalInteger("count", in: RequestBounds.nonces) ?? 1
        }
        let app = try exchange.app()
        let now = try clock.now()
        return try JSONWriter.bytes(capacity: 64 + 96 * count) { json throws in
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

/// `POST /v1/signatures`: signs promotional offers.
struct SignatureController: Endpoint {
    let operation = Operation.signOffers
    let app = AppScope.named
    let signing: SigningExchange

    func respond(to exchange: Exchange) {
        signing.respond(to: exchange, path: operation.path) { () throws(RequestFault) in
            try exchange.read(SignatureController.request)
        }
    }

    private static func request(_ reader: ObjectReader) throws(RequestFault) -> SignatureRequest {
        let items = reader.objects("offers", count: RequestBounds.signatures, fields: NamedSchema.offerToSign.fields).map {
            offer in
            let isChosen = offer.value("offerId") == nil
            return SignatureRequest.Item(
                productID: isChosen ? offer.optionalText("productId") ?? "" : offer.text("productId"),
                purpose: isChosen ? .campaignOffer : .promotionalOffer(offerID: offer.text("offerId")),
                nonce: offer.optionalUUID("nonce")
            )
        }
        // The order of these lines matters: an answer lists faults in the order in which the members are read.
        let (customerID, username) = (reader.optionalText("customerId"), applicationUsername(reader))
        let form: SignatureRequest.Form = reader.optionalChoice("form") ?? .payload
        return SignatureRequest(
            customer: CustomerReference(
                customerID: customerID,
                transactionID: reader.optionalTransactionID("transactionId"),
                appTransactionID: reader.optionalTransactionID("appTransactionId"),
                signedTransactions: reader.signedData("signedTransactions", count: RequestBounds.signedTransactions)
            ),
            applicationUsername: username,
            form: form,
            items: items,
            occasion: reader.occasion()
        )
    }

    /// Reads field 5 of the payload: the `appAccountToken`, the `applicationUsername`, or an empty text if there is neither.
    private static func applicationUsername(_ reader: ObjectReader) -> String {
        let token = reader.optionalUUID("appAccountToken")
        let username = reader.optionalText("applicationUsername", mayBeEmpty: true)
        if token != nil, username != nil {
            reader.refuse("applicationUsername", "cannot be given together with appAccountToken")
        }
        return token?.lowerCaseString ?? SignatureRequest.normalisedUsername(username ?? "")
    }
}

/// `POST /v1/introductory-offers/signatures`: signs that a customer may, or may not, have an introductory offer, whatever Apple's
/// own check says. The signature has the JWS form.
struct IntroductoryOfferController: Endpoint {
    let operation = Operation.signIntroductoryOffers
    let app = AppScope.named
    let signing: SigningExchange

    func respond(to exchange: Exchange) {
        signing.respond(to: exchange, path: operation.path) { () throws(RequestFault) in
            try exchange.read(IntroductoryOfferController.request)
        }
    }

    private static func request(_ reader: ObjectReader) throws(RequestFault) -> SignatureRequest {
        let items = reader.objects(
            "products", count: RequestBounds.signatures, fields: NamedSchema.introductoryOfferToSign.fields
        ).map { product in
            SignatureRequest.Item(
                productID: product.text("productId"),
                purpose: .introductoryOffer(
                    transactionID: product.transactionID("transactionId"), allowance(product)),
                nonce: nil
            )
        }
        checkOneCustomer(items, reader)
        return SignatureRequest(
            customer: CustomerReference(
                customerID: reader.optionalText("customerId"),
                signedAppTransaction: reader.signedAppTransaction()),
            form: .jws,
            items: items,
            occasion: reader.occasion()
        )
    }

    private static func allowance(_ product: ObjectReader) -> SignatureRequest.IntroductoryAllowance {
        guard product.has("allow") else { return .byCampaigns }
        return product.optionalBool("allow").map { .given($0) } ?? .byRules
    }

    /// Records a fault unless all products that ask campaigns name the same transaction, because campaigns decide about one
    /// customer.
    private static func checkOneCustomer(_ items: [SignatureRequest.Item], _ reader: ObjectReader) {
        var first: String?
        for (index, item) in items.enumerated() {
            guard case .introductoryOffer(let id, .byCampaigns) = item.purpose else { continue }
            guard let named = first else {
                first = id
                continue
            }
            if named != id {
                reader.refuse(
                    "products[\(index)].transactionId",
                    "differs from that of another product without allow; campaigns decide about one customer, so give the same one"
                )
            }
        }
    }
}

/// `POST /v1/offers`: tells which offers the campaigns give a customer.
struct OffersController: Endpoint {
    let operation = Operation.getOffers
    let app = AppScope.named

    let inquiry: OfferInquiry

    func respond(to exchange: Exchange) {
        do {
            let isNamed = exchange.caller.endUser != nil
            let (reference, occasion) = try exchange.read { reader throws(RequestFault) in
                (
                    EligibilityController.reference(reader, isNamed: isNamed, takesAppTransaction: true), reader.occasion()
                )
            }
            inquiry.choose(
                for: reference, occasion, of: try exchange.app(), for: exchange.caller, from: exchange.supplier,
                lane: exchange.lane
            ) { result in
                exchange.reply(result.map { Answer(status: .ok, body: OffersJSON.body($0)) })
            }
        } catch {
            exchange.reply(.failure(error))
        }
    }
}

/// `POST /v1/verify`: finds out what is wrong with a signature.
///
/// It stores nothing.
struct VerifyController: Endpoint {
    let operation = Operation.verifySignature
    let app = AppScope.named
    /// A request counts as twenty, because a signature whose fault cannot be found takes over a thousand verifications.
    let cost: Int64 = 20

    let examination: SignatureExamination

    func respond(to exchange: Exchange) {
        do {
            let subject = try exchange.read(VerifyController.subject)
            examination.examine(subject, of: try exchange.app(), for: exchange.caller, lane: exchange.lane) { result in
                exchange.reply(result.map { Answer.secret(VerifyController.body($0)) })
            }
        } catch {
            exchange.reply(.failure(error))
        }
    }

    /// The fields that belong to a signature in the payload form.
    static let payloadFields = ["productId", "offerId", "applicationUsername", "nonce", "timestamp", "keyIdentifier"]

    private static func subject(_ reader: ObjectReader) throws(RequestFault) -> SignatureExamination.Subject {
        if reader.value("compactJWS") != nil {
            for name in ["signature"] + Self.payloadFields where reader.value(name) != nil {
                reader.refuse(name, "cannot be given together with compactJWS, which contains what was signed")
            }
            return .jws(reader.signature("compactJWS", upTo: SignatureExamination.longestJWS))
        }
        return .payload(
            SignatureExamination.PayloadSignature(
                productID: reader.text("productId"),
                offerID: reader.text("offerId"),
                applicationUsername: reader.optionalText("applicationUsername", mayBeEmpty: true) ?? "",
                nonce: reader.text("nonce"),
                keyID: reader.text("keyIdentifier"),
                signature: reader.signature("signature", upTo: 1024),
                timestamp: reader.timestamp("timestamp")
            ))
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
    /// Reads a signature: a text of one to `longest` characters.
    fileprivate func signature(_ name: String, upTo longest: Int) -> String {
        if value(name) == nil {
            refuse(name, "is missing; give it with the fields that were signed, or give compactJWS alone")
            return ""
        }
        guard case .string(let text)? = value(name), (1...longest).contains(text.unicodeScalars.count) else {
            refuse(name, "must be a string of 1 to \(longest) characters")
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

/// `POST /v1/appstore/retention/{bundleId}`: tells the App Store what to show a customer who is about to cancel (Retention
/// Messaging).
struct RetentionController: Endpoint {
    let operation = Operation.answerRetentionRequest
    let app = AppScope.inPath
    let readsJSON = false

    let desk: RetentionDesk

    func check() throws { try desk.checkRoom() }

    func respond(to exchange: Exchange) {
        do {
            desk.answer(
                Array(exchange.body.readableBytesView), for: try exchange.app(), requestID: exchange.requestID,
                address: exchange.address, lane: exchange.lane
            ) { result in
                exchange.reply(result.map { $0.isEmpty ? .nothing : .secret($0) })
            }
        } catch {
            exchange.reply(.failure(error))
        }
    }
}
