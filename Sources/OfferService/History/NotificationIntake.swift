import AppStore
import EligibilityRules
import OfferSigning
import OfferStore
import WireText

/// Takes in the App Store's notifications: it authenticates each one, keeps its raw text, and merges the purchases in it.
///
/// The raw text and the purchases are stored together, or none of them is.
package struct NotificationIntake: Sendable {
    /// What has become of a notification.
    package enum Outcome: String, Sendable {
        case stored
        /// The notification was received before, so nothing has changed.
        case known
    }

    /// A notification that provably comes from the App Store.
    struct Authentic: Sendable {
        let record: NotificationRecord
        /// The app in the environment of the notification or, if the app does not accept that environment, in its own.
        let app: App
        let history: PurchaseHistory
        /// The environment of the notification; nil if it names none.
        let environment: PurchaseEnvironment?
        /// The names of fields whose values this release does not know. Fields of the purchases are not included.
        let unrecognisedFields: [String]
        /// Seats that have no holder any more.
        var unclaimedSeats: UnclaimedSeats?
        /// The refund request in the notification; nil if there is none, or if the app does not answer refund requests.
        var refund: RefundRequest?
        /// The receipts in the notification, sealed.
        var receipts: [KeptReceipt] = []
    }

    let intake: HistoryIntake

    /// - Parameter intake: takes in the purchases of the notifications.
    package init(intake: HistoryIntake) { self.intake = intake }

    /// Takes in a notification, which is the body of one request, in version 1 or 2.
    package func take(_ body: [UInt8], _ app: App) async throws -> Outcome {
        try await keep(authenticate(body, app))
    }

    /// Stores an authentic notification.
    func keep(_ notification: Authentic) async throws(StoreError) -> Outcome {
        let app = notification.app
        var change = HistoryChange(
            partition: app.partition,
            chains: notification.history.chains,
            extent: HistoryChange.Extent(from: notification.environment, of: app),
            notification: notification.record,
            receipts: notification.receipts,
            receivedAt: notification.record.receivedAt
        )
        change.refund = notification.refund
        guard try await intake.store.apply(change) != .knownNotification else { return .known }
        change.notify(intake.observer, app)
        await intake.counter?.count(change.chains, partition: app.partition)
        if let seats = notification.unclaimedSeats { intake.observer?.didUnclaim(seats, bundleID: app.bundleID) }
        if !notification.unrecognisedFields.isEmpty {
            intake.observer?.didFindUnrecognised(notification.unrecognisedFields, bundleID: app.bundleID)
        }
        return .stored
    }

    /// Finds out the version of a notification, and whether it is genuine and for this app.
    ///
    /// - Parameter requiresSecret: whether version 1 must carry the shared secret. False for an operator's import, because such a
    ///   notification was authenticated when it arrived.
    func authenticate(_ body: [UInt8], _ app: App, requiresSecret: Bool = true) throws(HistoryError) -> Authentic {
        switch try Self.content(of: body) {
        case .signed(let jws): try signed(jws, body, app)
        case .unsigned(let json): try unsigned(json, app, requiresSecret: requiresSecret)
        }
    }

    private enum Content {
        /// Version 2. The value is the signed data as a slice of the body.
        case signed(ArraySlice<UInt8>)
        /// Version 1. The value is the whole body.
        case unsigned(JSONValue)
    }

    private static func content(of body: [UInt8]) throws(HistoryError) -> Content {
        let parsed: JSONValue
        do {
            parsed = try body.withUnsafeBufferPointer { bytes throws(JSONParser.Fault) in try JSONParser.parse(bytes) }
        } catch {
            throw .malformedNotification("the body is not a JSON object at byte \(error.offset): \(error.reason)")
        }
        guard case .object(let members) = parsed else { throw .malformedNotification("the body must be a JSON object") }
        guard let payload = members.index(named: "signedPayload").map({ members[$0].value }) else { return .unsigned(parsed) }
        guard case .string(let jws) = payload else { throw .malformedNotification("signedPayload must be a string") }
        return .signed(body.slice(of: jws))
    }

    private func signed(_ jws: ArraySlice<UInt8>, _ body: [UInt8], _ app: App) throws(HistoryError) -> Authentic {
        do {
            let (app, notification) = try app.reading { identity throws(SignedDataError) in
                try intake.reader.notification(jws, for: identity)
            }
            let record = NotificationRecord(
                key: Array(notification.notificationUUID.utf8),
                version: 2,
                type: notification.notificationType,
                subtype: notification.subtype,
                originalTransactionID: notification.unclaimedSeats?.originalTransactionID
                    ?? notification.history.chains.first?.originalID,
                body: body,
                receivedAt: intake.system.now()
            )
            return Authentic(
                record: record, app: app, history: notification.history, environment: app.policy.environment,
                unrecognisedFields: notification.unrecognisedFields, unclaimedSeats: notification.unclaimedSeats,
                refund: app.answers.refunds.mode == .off ? nil : RefundRequest(notification, record))
        } catch {
            throw .notAuthentic(code: error.code.rawValue, detail: error.detail)
        }
    }

    private func unsigned(_ json: JSONValue, _ app: App, requiresSecret: Bool) throws(HistoryError) -> Authentic {
        guard let notification = NotificationV1(json) else {
            throw .malformedNotification("the body has neither signedPayload nor notification_type")
        }
        if requiresSecret { try checkSecret(of: notification, app) }
        if let bundleID = notification.bundleID, !bundleID.utf8.elementsEqual(app.bundleID.utf8) {
            throw .notAuthentic(code: "bundle-mismatch", detail: "the notification is for another app")
        }
        let shown = notification.shown
        let record = NotificationRecord(
            key: Crypto.sha256(notification.identity),
            version: 1,
            type: notification.notificationType,
            subtype: nil,
            originalTransactionID: notification.originalTransactionID ?? shown.history.chains.first?.originalID,
            body: notification.contentToKeep,
            receivedAt: intake.system.now()
        )
        let (history, app) = (shown.history, app.taking(notification.environment))
        return Authentic(
            record: record, app: app, history: history, environment: notification.environment,
            unrecognisedFields: notification.unrecognisedFields,
            receipts: intake.keeper?.kept(
                notification.latestReceipt, showing: history, shownAt: shown.at, verifiedAt: nil,
                from: notification.environment, app, now: intake.system.now()) ?? [])
    }

    private func checkSecret(of notification: NotificationV1, _ app: App) throws(HistoryError) {
        guard let secret = app.credentials.sharedSecret else {
            throw .notAuthentic(
                code: "shared-secret-missing", detail: "set sharedSecretFile of the app to receive notifications V1")
        }
        // The comparison takes the digests of both, which have the same length, so that it does not reveal the length of the
        // secret.
        guard let password = notification.password,
            Crypto.constantTimeEqual(Crypto.sha256(password.utf8), Crypto.sha256(secret.utf8))
        else {
            throw .notAuthentic(code: "shared-secret-mismatch", detail: "the password is not this app's shared secret")
        }
    }
}

extension [UInt8] {
    /// The text of the first member of this JSON object, as a slice of these bytes. It is a copy if the bytes there differ from
    /// the text.
    ///
    /// It looks at one place only. A search through the whole body could take hours, and any client can send such a body.
    fileprivate func slice(of text: String) -> ArraySlice<UInt8> {
        var text = text
        let (colon, quote) = (UInt8(ascii: ":"), UInt8(ascii: "\""))
        let rest = firstIndex(of: colon).flatMap { self[$0...].firstIndex(of: quote) }.map { self[$0...].dropFirst() } ?? []
        let start = rest.prefix(text.utf8.count)
        let isThere = text.withUTF8 { text in start.withUnsafeBytes { $0.count == text.count && $0.elementsEqual(text) } }
        return isThere ? start : Array(text.utf8)[...]
    }
}

extension RefundRequest {
    /// Makes the refund request of a notification; nil if the notification is not about a refund request.
    fileprivate init?(_ notification: NotificationV2, _ record: NotificationRecord) {
        guard let question = notification.consumption else { return nil }
        self.init(
            notification: record.key, transactionID: question.transactionID,
            originalTransactionID: question.originalTransactionID, productID: question.productID, reason: question.reason,
            isAdvancedCommerce: question.isAdvancedCommerce, requestedAt: notification.signedDate ?? record.receivedAt)
    }
}
