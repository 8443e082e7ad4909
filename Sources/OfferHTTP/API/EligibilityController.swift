import EligibilityRules
import NIOHTTP1
import OfferService
import WireText

/// `POST /v1/eligibility`: which offers a customer may have, and why.
struct EligibilityController: Endpoint {
    let operation = Operation.checkEligibility
    let app = AppScope.named

    let inquiry: EligibilityInquiry

    func respond(to exchange: Exchange) {
        do {
            let isNamed = exchange.caller.endUser != nil
            let (reference, products, plan) = try exchange.read { reader throws(RequestFault) in
                (
                    Self.reference(reader, isNamed: isNamed), reader.optionalTexts("products", count: RequestBounds.products),
                    reader.billingPlan()
                )
            }
            inquiry.assess(
                reference, on: products, plan: plan, of: try exchange.app(), for: exchange.caller, from: exchange.supplier,
                lane: exchange.lane
            ) { result in
                exchange.reply(result.map { Answer(status: .ok, body: EligibilityJSON.body($0)) })
            }
        } catch {
            exchange.reply(.failure(error))
        }
    }

    /// Reads the ids by which a request names its customer.
    ///
    /// - Parameters:
    ///   - isNamed: whether the caller's token already names the customer, so that the request need not name the customer.
    ///   - takesAppTransaction: whether the request may name the customer with an AppTransaction.
    static func reference(
        _ reader: ObjectReader,
        isNamed: Bool,
        takesAppTransaction: Bool = false
    ) -> CustomerReference {
        let reference = CustomerReference(
            customerID: reader.optionalText("customerId"),
            appAccountToken: reader.optionalUUID("appAccountToken")?.lowerCaseString,
            transactionID: reader.optionalTransactionID("transactionId"),
            appTransactionID: reader.optionalTransactionID("appTransactionId"),
            signedTransactions: reader.signedData("signedTransactions", count: RequestBounds.histories),
            signedAppTransaction: takesAppTransaction ? reader.signedAppTransaction() : nil
        )
        var names = ["customerId", "appAccountToken", "appTransactionId", "transactionId"]
        if takesAppTransaction { names.append("signedAppTransaction") }
        if !isNamed, names.allSatisfy({ reader.value($0) == nil }) {
            reader.refuse(
                "customerId", "is missing; give it, \(names[1..<names.count - 1].joined(separator: ", ")) or \(names.last!)")
        }
        return reference
    }
}
