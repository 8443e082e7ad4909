import FoundationEssentials
import OfferService
import WireText

/// `POST /v1/signatures`: promotional offers, signed.
struct SignatureController: Endpoint {
    let operation = Operation.signOffers
    let app = AppScope.named
    let maxBodySize = SigningExchange.maxBodySize
    let signing: SigningExchange

    func respond(to exchange: Exchange) {
        signing.respond(to: exchange, path: operation.path) { () throws(RequestFault) in
            try exchange.read(SignatureController.request)
        }
    }

    private static func request(_ reader: ObjectReader) throws(RequestFault) -> SignatureRequest {
        let items = reader.objects("offers", count: 1...20, fields: NamedSchema.offerToSign.fields).map { offer in
            let isChosen = offer.value("offerId") == nil
            return SignatureRequest.Item(
                productID: isChosen ? offer.optionalText("productId") ?? "" : offer.text("productId"),
                purpose: isChosen ? .campaignOffer : .promotionalOffer(offerID: offer.text("offerId")),
                nonce: offer.optionalUUID("nonce")
            )
        }
        // Faults are listed in the order of reading.
        let (customerID, username) = (reader.optionalText("customerId"), applicationUsername(reader))
        let form: SignatureRequest.Form = reader.optionalChoice("form") ?? .payload
        return SignatureRequest(
            customer: CustomerReference(
                customerID: customerID,
                transactionID: reader.optionalTransactionID("transactionId"),
                appTransactionID: reader.optionalTransactionID("appTransactionId"),
                signedTransactions: reader.signedData("signedTransactions", count: 0...20)
            ),
            applicationUsername: username,
            form: form,
            items: items,
            reuse: reader.optionalBool("reuse") ?? false,
            occasion: reader.occasion()
        )
    }

    /// Reads field 5 of the payload: the token, the name, or nothing.
    private static func applicationUsername(_ reader: ObjectReader) -> String {
        let token = reader.optionalUUID("appAccountToken")
        let username = reader.optionalText("applicationUsername", mayBeEmpty: true)
        if token != nil, username != nil {
            reader.refuse("applicationUsername", "cannot be given together with appAccountToken")
        }
        return token?.lowerCaseString ?? SignatureRequest.normalisedUsername(username ?? "")
    }
}
