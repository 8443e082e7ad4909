import NIOCore
import OfferService
import WireText

/// `POST /v1/history/transactions`: takes in signed transactions and renewal infos of StoreKit 2 from a backend.
struct TransactionsController: Endpoint {
    private struct Request {
        let customerID: String?
        let transactions: [String]
        let renewalInfos: [String]
    }

    let operation = Operation.addTransactions
    let app = AppScope.named

    let intake: HistoryIntake

    func respond(to exchange: Exchange) {
        do {
            let request = try exchange.read(Self.request)
            let (app, supplier) = (try exchange.app(), exchange.supplier)
            exchange.lane.examine({ [intake] in
                try await intake.take(
                    signedTransactions: request.transactions, signedRenewalInfos: request.renewalInfos,
                    customerID: request.customerID, from: supplier, app)
            }) { result in
                exchange.reply(result.map(HistoryJSON.report))
            }
        } catch {
            exchange.reply(.failure(error))
        }
    }

    private static func request(_ reader: ObjectReader) throws(RequestFault) -> Request {
        if reader.value("signedTransactions") == nil, reader.value("signedRenewalInfos") == nil {
            reader.refuse("signedTransactions", "is missing")
        }
        return Request(
            customerID: reader.optionalText("customerId"),
            transactions: reader.signedData("signedTransactions", count: RequestBounds.suppliedTransactions),
            renewalInfos: reader.signedData("signedRenewalInfos", count: RequestBounds.suppliedTransactions)
        )
    }
}

/// `POST /v1/history/receipts`: takes in a receipt, which the service verifies with the App Store. A backend that has done so
/// itself may send the App Store's response instead.
struct ReceiptsController: Endpoint {
    private struct Request {
        let customerID: String?
        let receiptData: HandedOver<String>?
        let verifiedReceipt: HandedOver<JSONValue>
    }

    let operation = Operation.addReceipt
    let app = AppScope.named

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
    /// Reads an optional text, which may have any length but must not be empty.
    ///
    /// Whether it is a receipt is checked later, in the use case.
    fileprivate func optionalReceipt(_ name: String) -> String? {
        guard let value = value(name) else { return nil }
        guard case .string(let text) = value, !text.isEmpty else {
            refuse(name, "must be a receipt in standard Base64")
            return nil
        }
        return text
    }
}

/// `POST /v1/history/refresh`: pulls a customer's purchase history from the App Store Server API.
struct RefreshController: Endpoint {
    let operation = Operation.refreshHistory
    let app = AppScope.named
    /// A refresh counts as ten requests, because it sends requests to the App Store, which allows an app only some 50 a second.
    let cost: Int64 = 10

    let refresh: HistoryRefresh

    func respond(to exchange: Exchange) {
        do {
            let request = try exchange.read {
                reader throws(RequestFault) in
                (
                    customerID: reader.optionalText("customerId"),
                    transactionID: reader.transactionID("transactionId")
                )
            }
            let (app, supplier) = (try exchange.app(), exchange.supplier)
            exchange.lane.examine({ [refresh] in
                try await refresh.refresh(
                    transactionID: request.transactionID, customerID: request.customerID, from: supplier, app)
            }) { result in
                exchange.reply(result.map(HistoryJSON.report))
            }
        } catch {
            exchange.reply(.failure(error))
        }
    }
}

/// `POST /v1/customers/{customerId}/transactions`: binds a subscription to a customer.
struct BindingController: Endpoint {
    let operation = Operation.bindTransaction
    let app = AppScope.named

    let binding: CustomerBinding

    func respond(to exchange: Exchange) {
        do {
            let (id, transfer, token) = try exchange.read { reader throws(RequestFault) in
                reader.check(exchange.parameter, as: "customerId")
                return (
                    reader.transactionID("transactionId"), reader.optionalBool("transfer") ?? false,
                    reader.optionalUUID("appAccountToken")
                )
            }
            let app = try exchange.app().withPurchases()
            if token != nil, !app.rules.writesAppAccountToken {
                let reason = "is for the App Store, but this app writes nothing there; set apps[].writeAppAccountToken of the app"
                throw RequestFault.invalidFields([FieldFault(name: "appAccountToken", reason: reason)])
            }
            let customerID = exchange.parameter ?? ""
            let origin = Origin(actor: exchange.caller.id, requestID: exchange.requestID, address: exchange.address)
            exchange.lane.perform({ [binding] in
                try await binding.bind(id, to: customerID, transfer: transfer, token: token, app, by: origin)
            }) { result in
                exchange.reply(result.map { HistoryJSON.binding($0.status, $0.written) })
            }
        } catch {
            exchange.reply(.failure(error))
        }
    }
}

/// `POST /v1/appstore/notifications/{bundleId}`: takes in App Store Server Notifications, V1 and V2.
struct NotificationController: Endpoint {
    let operation = Operation.receiveNotification
    let app = AppScope.inPath
    let readsJSON = false

    let intake: NotificationIntake
    /// Verifies notifications on a thread of its own.
    ///
    /// Anyone may send a forged notification, and it may take milliseconds to find out that it is forged.
    let executor = BoundedExecutor(threads: 1, limit: 256, niceness: 10, refusal: HistoryError.busy)

    func check() throws {
        try executor.checkRoom()
    }

    func respond(to exchange: Exchange) {
        do {
            let app = try exchange.app()
            let body = HandedOver(exchange.takeBody())
            exchange.lane.perform(
                on: executor,
                { [intake] in try await intake.take(body.take().map { Array($0.readableBytesView) } ?? [], app) }
            ) { result in
                exchange.reply(result.map { HistoryJSON.status($0.rawValue) })
            }
        } catch {
            exchange.reply(.failure(error))
        }
    }
}
