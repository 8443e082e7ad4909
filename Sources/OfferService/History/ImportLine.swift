package import AppStore
import EligibilityRules
import OfferSigning
package import OfferStore
import WireText

/// Reads one line of an import: a receipt, a notification or signed data. The line may name the customer.
package struct ImportLine: Sendable {
    /// Why a line is left out.
    package struct Rejection: Error, Equatable {
        package let code: String
        package let detail: String
    }

    private static let names = [
        "customerId", "receipt", "receiptData", "notification", "signedTransactions", "signedRenewalInfos", "complete",
    ]

    package let app: App
    package let reader: SignedDataReader
    package let notifications: NotificationIntake
    package let system: SystemEnvironment

    package init(app: App, reader: SignedDataReader, notifications: NotificationIntake, system: SystemEnvironment) {
        self.app = app
        self.reader = reader
        self.notifications = notifications
        self.system = system
    }

    /// The change that the line describes. Throws a `Rejection` if the line cannot be used.
    package func change(_ line: some Collection<UInt8>) throws(Rejection) -> HistoryChange {
        let bytes = Array(line)
        let value: JSONValue
        do {
            value = try bytes.withUnsafeBufferPointer { bytes throws(JSONParser.Fault) in try JSONParser.parse(bytes) }
        } catch {
            throw Rejection(code: "malformed-json", detail: "not JSON at byte \(error.offset): \(error.reason)")
        }
        switch value {
        case .string(let jws): return try signed([jws], [], customerID: nil)
        case .object(let members): return try change(members, value, bytes)
        default: throw Rejection(code: "unknown-form", detail: "the line must be an object or a signed transaction")
        }
    }

    private func change(
        _ members: [JSONValue.Member],
        _ value: JSONValue,
        _ bytes: [UInt8]
    ) throws(Rejection) -> HistoryChange {
        func member(_ name: String) -> JSONValue? { members.first { $0.name == name }?.value }
        if member("signedPayload") != nil || member("notification_type") != nil { return try notification(bytes) }
        if member("status") != nil { return try receipt(value, customerID: nil) }
        if let stranger = members.first(where: { !Self.names.contains($0.name) }) {
            throw Rejection(
                code: "unknown-field", detail: "\(stranger.name); known are \(Self.names.joined(separator: ", "))")
        }
        let customerID = try customerID(member("customerId"))
        if let receipt = member("receipt") { return try self.receipt(receipt, customerID: customerID) }
        if let receiptData = member("receiptData") { return try self.receipt(data: receiptData, customerID: customerID) }
        if let notification = member("notification") {
            guard customerID == nil else {
                throw Rejection(
                    code: "invalid-field", detail: "customerId: a notification does not say whose it is; leave it out")
            }
            return try self.notification(notification.bytes)
        }
        let transactions = member("signedTransactions")?.strings ?? []
        let renewals = member("signedRenewalInfos")?.strings ?? []
        guard !transactions.isEmpty || !renewals.isEmpty else {
            throw Rejection(
                code: "unknown-form",
                detail: "no receipt, notification, signedTransactions or signedRenewalInfos; see docs/operations.md")
        }
        return try signed(transactions, renewals, customerID: customerID, isComplete: isComplete(member("complete")))
    }

    private func isComplete(_ value: JSONValue?) throws(Rejection) -> Bool {
        switch value {
        case nil, .null: return false
        case .bool(let flag): return flag
        default:
            throw Rejection(
                code: "invalid-field",
                detail: "complete: must be true or false; true means that these are all transactions of the Apple account")
        }
    }

    private func customerID(_ value: JSONValue?) throws(Rejection) -> String? {
        switch value {
        case nil, .null: return nil
        case .string(let text):
            guard let fault = Identifier.fault(of: text) else { return text }
            throw Rejection(code: "invalid-field", detail: "customerId: \(fault)")
        default: throw Rejection(code: "invalid-field", detail: "customerId: must be a string")
        }
    }

    private func receipt(_ json: JSONValue, customerID: String?) throws(Rejection) -> HistoryChange {
        guard let response = ReceiptResponse(json) else {
            throw Rejection(code: "malformed-receipt", detail: "receipt is not a verifyReceipt response: it has no status")
        }
        guard response.isGenuine else {
            throw Rejection(code: "receipt-status-\(response.status)", detail: "the App Store did not accept this receipt")
        }
        return try receipt(response, latest: response.latestReceipt, customerID: customerID)
    }

    private func receipt(data: JSONValue, customerID: String?) throws(Rejection) -> HistoryChange {
        guard case .string(let text) = data else {
            throw Rejection(code: "invalid-field", detail: "receiptData: must be a string")
        }
        let receiptData: String
        do {
            receiptData = try ReceiptText.read(text)
        } catch {
            throw Rejection(code: "malformed-receipt", detail: "receiptData \(error.reason)")
        }
        let response: ReceiptResponse?
        do throws(SignedDataError) {
            response = try reader.receipt(receiptData, at: system.now())
        } catch {
            throw Rejection(code: error.code.rawValue, detail: error.detail)
        }
        guard let response else {
            throw Rejection(
                code: "malformed-receipt",
                detail: "receiptData is not an app's receipt in standard Base64; import verifyReceipt's answer as receipt instead"
            )
        }
        return try receipt(response, latest: receiptData, customerID: customerID)
    }

    private func receipt(_ response: ReceiptResponse, latest: String?, customerID: String?) throws(Rejection) -> HistoryChange {
        if let bundleID = response.bundleID, !bundleID.utf8.elementsEqual(app.bundleID.utf8) {
            throw Rejection(code: "bundle-mismatch", detail: "the receipt is of \(bundleID)")
        }
        let app = app.taking(response.environment)
        let extent = HistoryChange.Extent(showsAccount: response.showsAccount, from: response.environment, of: app)
        let receipts = notifications.intake.keeper?.kept(
            latest, showing: response.history, shownAt: response.asOf, verifiedAt: nil,
            from: response.environment, app, now: system.now())
        return change(response.history, customerID: customerID, extent, app, receipts ?? [])
    }

    private func notification(_ body: [UInt8]) throws(Rejection) -> HistoryChange {
        do {
            let authentic = try notifications.authenticate(body, app, requiresSecret: false)
            return HistoryChange(
                partition: authentic.app.partition, chains: authentic.history.chains,
                extent: HistoryChange.Extent(from: authentic.environment, of: authentic.app), notification: authentic.record,
                receipts: authentic.receipts, receivedAt: authentic.record.receivedAt)
        } catch {
            switch error {
            case .notAuthentic(let code, let detail): throw Rejection(code: code, detail: detail)
            case .malformedNotification(let detail): throw Rejection(code: "malformed-notification", detail: detail)
            default: throw Rejection(code: "unusable", detail: "\(error)")
            }
        }
    }

    private func signed(
        _ transactions: [String],
        _ renewals: [String],
        customerID: String?,
        isComplete: Bool = false
    ) throws(Rejection) -> HistoryChange {
        do {
            let (app, chains) = try app.reading { identity throws(SignedDataError) in
                var chains: [PurchaseChain] = []
                for jws in transactions { chains.append(try reader.transaction(jws, for: identity)) }
                for jws in renewals { chains.append(try reader.renewalInfo(jws, for: identity)) }
                return chains
            }
            return change(PurchaseHistory(chains), customerID: customerID, isComplete ? .account : .part, app)
        } catch {
            throw Rejection(code: error.code.rawValue, detail: error.detail)
        }
    }

    private func change(
        _ history: PurchaseHistory,
        customerID: String?,
        _ extent: HistoryChange.Extent,
        _ app: App,
        _ receipts: [KeptReceipt] = []
    ) -> HistoryChange {
        HistoryChange(
            partition: app.partition, claim: CustomerClaim(customerID, .vouched), chains: history.chains, extent: extent,
            receipts: receipts,
            receivedAt: system.now())
    }
}

extension JSONValue {
    fileprivate var strings: [String] {
        guard case .array(let elements) = self else { return [] }
        return elements.compactMap { if case .string(let text) = $0 { text } else { nil } }
    }
}
