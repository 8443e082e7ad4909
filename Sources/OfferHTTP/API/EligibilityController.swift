import EligibilityRules
import NIOHTTP1
import OfferService
import WireText

/// `POST /v1/eligibility`: which offers a customer may have, and why.
struct EligibilityController: Endpoint {
    let path = "/v1/eligibility"
    let access = OperationAccess.needs(.sign)
    let app = AppScope.named

    let inquiry: EligibilityInquiry

    private static let fields = [
        "bundleId", "customerId", "appAccountToken", "originalTransactionId", "appTransactionId", "environment", "products",
        "signedTransactions",
    ]

    func respond(to exchange: Exchange) {
        do {
            let request = try exchange.read(fields: Self.fields, Self.request)
            inquiry.assess(request, of: try exchange.app(), from: exchange.supplier, lane: exchange.lane) { result in
                exchange.reply(result.map { Answer(status: .ok, body: EligibilityJSON.body($0)) })
            }
        } catch {
            exchange.reply(.failure(error))
        }
    }

    private static func request(_ reader: ObjectReader) throws(RequestFault) -> EligibilityInquiry.Request {
        let request = EligibilityInquiry.Request(
            customerID: reader.optionalText("customerId"),
            appAccountToken: reader.optionalUUID("appAccountToken")?.lowerCaseString,
            originalTransactionID: reader.optionalTransactionID("originalTransactionId"),
            appTransactionID: reader.optionalTransactionID("appTransactionId"),
            products: reader.optionalTexts("products", count: 1...100),
            signedTransactions: reader.signedData("signedTransactions", count: 0...200)
        )
        if ["customerId", "appAccountToken", "originalTransactionId", "appTransactionId"].allSatisfy({ reader.value($0) == nil })
        {
            reader.refuse("customerId", "is missing; give it, appAccountToken, appTransactionId or originalTransactionId")
        }
        return request
    }
}
