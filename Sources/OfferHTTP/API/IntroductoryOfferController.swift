import NIOCore
import OfferService

/// `POST /v1/introductory-offers/signatures`: overrides of introductory-offer eligibility, signed as JWS.
struct IntroductoryOfferController: Endpoint {
    let operation = Operation.signIntroductoryOffers
    let app = AppScope.named
    let maxBodySize = SigningExchange.maxBodySize
    let signing: SigningExchange

    func respond(to exchange: Exchange) {
        signing.respond(to: exchange, path: operation.path) { () throws(RequestFault) in
            try exchange.read(IntroductoryOfferController.request)
        }
    }

    private static func request(_ reader: ObjectReader) throws(RequestFault) -> SignatureRequest {
        let items = reader.objects("products", count: 1...20, fields: NamedSchema.introductoryOfferToSign.fields).map { product in
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
