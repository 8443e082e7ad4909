public import EligibilityRules
public import OfferSigning
import WireText

/// Verifies data that the App Store has signed, checks that it belongs to the expected app, and decodes it.
public struct SignedDataReader: Sendable {
    private static let retentionRequestAge: Int64 = 5 * 60_000

    private let verify: @Sendable (ArraySlice<UInt8>) throws(SignedDataError) -> SignedData
    private let verifyReceipt: @Sendable (SignedMessage, Int64?) throws(SignedDataError) -> Void
    private let hasKnownChain: @Sendable (String) -> Bool

    /// - Parameter verifier: checks signatures and certificates.
    public init(verifier: SignedDataVerifier) {
        verify = { jws throws(SignedDataError) in try verifier.verify(jws) }
        verifyReceipt = { message, createdAt throws(SignedDataError) in
            try verifier.verify(receipt: message, createdAt: createdAt)
        }
        hasKnownChain = { verifier.isQuick($0) }
    }

    /// Creates a reader that calls `verify` instead of checking signatures, for tests.
    init(verify: @escaping @Sendable (String) throws(SignedDataError) -> SignedData) {
        self.verify = { jws throws(SignedDataError) in try verify(String(decoding: jws, as: UTF8.self)) }
        verifyReceipt = { _, _ in }
        hasKnownChain = { _ in true }
    }

    /// Whether verification takes at most a few tenths of a ms, because the certificate chain is cached or need not be verified.
    package func isQuick(_ jws: String) -> Bool { hasKnownChain(jws) }

    /// Returns a purchase chain with the one transaction in a JWS (`signedTransactionInfo`).
    public func transaction(_ jws: String, for identity: AppIdentity) throws(SignedDataError) -> PurchaseChain {
        try transaction(jws, for: identity, nil).chain
    }

    private func transaction(
        _ jws: String,
        for identity: AppIdentity,
        _ notice: RefundNotice?
    ) throws(SignedDataError) -> (chain: PurchaseChain, object: AppleObject?) {
        let payload = try payload(jws, for: identity)
        let object = AppleObject(payload)
        try SignedDataKind.check(object, is: .transaction)
        try identity.check(bundleID: object?.text("bundleId"), environment: object?.environment)
        guard let chain = SignedTransactionDecoder.chain(payload, notice: notice) else {
            throw SignedDataError(.malformedPayload, "this is not a transaction: an id, a product or a purchase date is missing")
        }
        return (chain, object)
    }

    /// Returns the `appTransactionId` in a JWS of StoreKit's AppTransaction. It stands for one Apple account in one app.
    public func appTransactionID(_ jws: String, for identity: AppIdentity) throws(SignedDataError) -> String {
        let object = AppleObject(try payload(jws, for: identity))
        try SignedDataKind.check(object, is: .appTransaction)
        // An AppTransaction names its environment in another field than all other signed data.
        try identity.check(
            bundleID: object?.text("bundleId"),
            environment: object?.text("receiptType").flatMap(AppStoreEnvironment.init(rawValue:)))
        guard let id = object?.text("appTransactionId") else {
            throw SignedDataError(
                .malformedPayload,
                "the AppTransaction has no appTransactionId; call AppTransaction.refresh() in the app and send the new one")
        }
        return id
    }

    /// Returns a purchase chain with the renewal information in a JWS (`signedRenewalInfo`), and without transactions.
    ///
    /// Renewal information names no bundle id, so only the environment is checked.
    public func renewalInfo(_ jws: String, for identity: AppIdentity) throws(SignedDataError) -> PurchaseChain {
        let payload = try payload(jws, for: identity)
        try SignedDataKind.check(AppleObject(payload), is: .renewalInfo)
        try identity.check(environment: AppleObject(payload)?.environment)
        guard let chain = SignedRenewalInfoDecoder.chain(payload) else {
            throw SignedDataError(.malformedPayload, "this is not renewal information: the subscription's id is missing")
        }
        return chain
    }

    /// Returns the notification in a `signedPayload`, with the purchases that the signed data inside it shows.
    public func notification(_ jws: String, for identity: AppIdentity) throws(SignedDataError) -> NotificationV2 {
        try notification(Array(jws.utf8)[...], for: identity)
    }

    /// Returns the notification in the bytes of a `signedPayload`, without copying them, because they may have 16 MiB.
    package func notification(
        _ jws: ArraySlice<UInt8>,
        for identity: AppIdentity
    ) throws(SignedDataError) -> NotificationV2 {
        let payload = try payload(jws, for: identity)
        try SignedDataKind.check(AppleObject(payload), is: .notification)
        guard var notification = NotificationV2(payload) else {
            throw SignedDataError(.malformedPayload, "this is not a notification: its type, its UUID or its data is missing")
        }
        // A notification about seats contains no purchases, so it need not name the app. If it does not, it counts for the app in
        // the path to which it was sent.
        let isOpen = notification.unclaimedSeats != nil
        if !isOpen || notification.bundleID != nil { try identity.check(bundleID: notification.bundleID) }
        if !notification.isOfUnknownEnvironment, !isOpen || notification.environment != nil {
            try identity.check(environment: notification.environment)
        }
        if !isOpen || notification.appAppleID != nil { try identity.check(appAppleID: notification.appAppleID) }
        if isOpen { return notification }
        // If the environment is not known here, the purchases are left out, because they would count for the environment of
        // `identity`.
        if notification.isOfUnknownEnvironment { return notification }
        var chains: [PurchaseChain] = []
        if let jws = notification.signedTransactionInfo {
            let (chain, object) = try transaction(jws, for: identity, notification.refundNotice)
            chains.append(chain)
            notification.consumption = notification.question(about: chain, object)
        }
        if let jws = notification.signedRenewalInfo { chains.append(try renewalInfo(jws, for: identity)) }
        notification.history = PurchaseHistory(chains)
        return notification
    }

    /// Verifies and reads a receipt of the iOS 7 style without asking the App Store. Returns nil for any other receipt, which
    /// only verifyReceipt can read.
    ///
    /// The caller must check that the receipt belongs to the expected app and environment.
    ///
    /// - Parameter receiptData: the receipt in Base64.
    package func receipt(_ receiptData: String, at now: Instant) throws(SignedDataError) -> ReceiptResponse? {
        guard let message = Base64.decode(receiptData.utf8).flatMap(SignedMessage.init) else { return nil }
        let receipt = AppReceipt(message.content)
        try verifyReceipt(message, receipt?.createdAt.milliseconds)
        return receipt?.response(at: now)
    }

    /// Returns the App Store's real-time request (Retention Messaging) in a `signedPayload`.
    ///
    /// - Parameter now: when the request arrived. A request that was signed more than five minutes before or after this time is
    ///   refused. The App Store waits less than a second for the answer, so an older request is probably a copy.
    public func retentionRequest(
        _ jws: String,
        for identity: AppIdentity,
        at now: Instant
    ) throws(SignedDataError) -> RetentionRequest {
        let payload = try payload(jws, for: identity)
        try SignedDataKind.check(AppleObject(payload), is: .retentionRequest)
        guard let request = RetentionRequest(payload) else {
            throw SignedDataError(
                .malformedPayload,
                "this is not a retention request: originalTransactionId, productId, requestIdentifier or signedDate is missing")
        }
        try identity.check(environment: request.environment)
        try identity.checkOnly(appAppleID: request.appAppleID)
        guard abs(request.signedDate.milliseconds - now.milliseconds) <= Self.retentionRequestAge else {
            throw SignedDataError(.staleRequest, "the request was signed more than five minutes ago, or the clock here is wrong")
        }
        return request
    }

    private func payload(_ jws: String, for identity: AppIdentity) throws(SignedDataError) -> JSONValue {
        try payload(Array(jws.utf8)[...], for: identity)
    }

    private func payload(_ jws: ArraySlice<UInt8>, for identity: AppIdentity) throws(SignedDataError) -> JSONValue {
        let data = try verify(jws)
        // Without this check, anyone who holds the certificate of local tests could sign purchases for Production.
        guard data.isLocal == identity.environment.isLocal else {
            throw SignedDataError(
                .environmentMismatch,
                data.isLocal
                    ? "the data was signed by Xcode or a local test, but \(identity.environment.rawValue) is expected"
                    : "the data was signed by the App Store, but \(identity.environment.rawValue) is expected"
            )
        }
        return data.payload
    }
}

extension NotificationV2 {
    /// Returns the App Store's question about a refund; nil if the notification asks none.
    fileprivate func question(about chain: PurchaseChain, _ object: AppleObject?) -> ConsumptionQuestion? {
        guard notificationType == "CONSUMPTION_REQUEST", let transaction = chain.transactions.first else { return nil }
        return ConsumptionQuestion(
            transactionID: transaction.id, originalTransactionID: chain.originalID, productID: transaction.productID,
            reason: consumptionRequestReason, isAdvancedCommerce: object?.object("advancedCommerceInfo") != nil)
    }
}

/// The kinds of signed data. Each kind is recognised by fields that no other kind has.
enum SignedDataKind: CaseIterable {
    case transaction, renewalInfo, notification, retentionRequest, appTransaction

    /// Throws if a payload has none of the expected kind's fields, but one of another kind's. The error says which kind it is.
    ///
    /// Call it before the environment is checked. An AppTransaction, for example, has its environment in another field, so it
    /// would otherwise be refused as data of another environment, which would mislead the reader.
    static func check(_ object: AppleObject?, is expected: SignedDataKind) throws(SignedDataError) {
        guard let object, !expected.isSeen(in: object), let found = allCases.first(where: { $0.isSeen(in: object) }) else {
            return
        }
        throw SignedDataError(.malformedPayload, found.mistake)
    }

    private func isSeen(in object: AppleObject) -> Bool { fields.contains { object[$0] != nil } }

    private var fields: [String] {
        switch self {
        case .transaction: ["transactionId"]
        case .renewalInfo: ["autoRenewStatus", "autoRenewProductId"]
        case .notification: ["notificationType", "notificationUUID"]
        case .retentionRequest: ["requestIdentifier"]
        case .appTransaction: ["receiptType", "applicationVersion", "originalApplicationVersion"]
        }
    }

    private var mistake: String {
        switch self {
        case .transaction: "this is a transaction; it belongs in signedTransactions"
        case .renewalInfo: "this is renewal information; it belongs in signedRenewalInfos"
        case .notification:
            "this is a notification; send it to /v1/appstore/notifications/{bundleId}, or import it as notification"
        case .retentionRequest: "this is a request of Retention Messaging, which only the App Store sends"
        case .appTransaction:
            "this is an AppTransaction, which shows no purchase; it belongs in signedAppTransaction"
        }
    }
}
