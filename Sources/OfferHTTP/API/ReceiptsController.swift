import OfferService
import WireText

/// `POST /v1/history/receipts`: a receipt to verify with the App Store, or the App Store's response that a backend already has.
struct ReceiptsController: Endpoint {
    private struct Request {
        let customerID: String?
        let receiptData: HandedOver<String>?
        let verifiedReceipt: HandedOver<JSONValue>
    }

    let operation = Operation.addReceipt
    let app = AppScope.named
    let maxBodySize = BodySize.document

    let receipts: ReceiptIntake

    func respond(to exchange: Exchange) {
        do {
            let request = try exchange.read(Self.request)
            let (app, supplier) = (try exchange.app(), exchange.supplier)
            _ = exchange.takeBody()
            exchange.lane.examine({ [receipts] in
                if let receiptData = request.receiptData {
                    return try await receipts.verify(
                        receiptData.take() ?? "", customerID: request.customerID, from: supplier, app)
                }
                return try await receipts.take(
                    request.verifiedReceipt.take() ?? .null, customerID: request.customerID, from: supplier, app)
            }) { result in
                exchange.reply(result.map(HistoryJSON.report))
            }
        } catch {
            exchange.reply(.failure(error))
        }
    }

    private static func request(_ reader: ObjectReader) throws(RequestFault) -> Request {
        let receiptData = reader.optionalReceipt("receiptData")
        let verifiedReceipt = reader.value("verifiedReceipt")
        switch (receiptData, verifiedReceipt) {
        case (nil, nil) where reader.value("receiptData") == nil:
            reader.refuse("receiptData", "is missing; give it or verifiedReceipt")
        case (.some, .some): reader.refuse("verifiedReceipt", "cannot be given together with receiptData")
        case (_, .some(let value)):
            if case .object = value {} else { reader.refuse("verifiedReceipt", "must be a verifyReceipt response (an object)") }
        default: break
        }
        return Request(
            customerID: reader.optionalText("customerId"),
            receiptData: receiptData.map(HandedOver.init),
            verifiedReceipt: HandedOver(verifiedReceipt ?? .null)
        )
    }
}

extension ObjectReader {
    /// Reads an optional text of any length that is not empty. What it is, the use case says.
    fileprivate func optionalReceipt(_ name: String) -> String? {
        guard let value = value(name) else { return nil }
        guard case .string(let text) = value, !text.isEmpty else {
            refuse(name, "must be a receipt in standard Base64")
            return nil
        }
        return text
    }
}
