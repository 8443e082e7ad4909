public import EligibilityRules
public import OfferSigning
import WireText

/// Verifies what the App Store signed, checks which app it belongs to, and decodes it.
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

    /// Verifies in another way, for tests.
    init(verify: @escaping @Sendable (String) throws(SignedDataError) -> SignedData) {
        self.verify = { jws throws(SignedDataError) in try verify(String(decoding: jws, as: UTF8.self)) }
        verifyReceipt = { _, _ in }
        hasKnownChain = { _ in true }
    }

    /// Whether verification takes a few tenths of a millisecond at most: its certificates are remembered, or not needed.
    package func isQuick(_ jws: String) -> Bool { hasKnownChain(jws) }

    /// Returns a chain with the transaction in a JWS (`signedTransactionInfo`).
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

    /// Returns a chain with the renewal information in a JWS (`signedRenewalInfo`), which names no bundle id.
    public func renewalInfo(_ jws: String, for identity: AppIdentity) throws(SignedDataError) -> PurchaseChain {
        let payload = try payload(jws, for: identity)
        try SignedDataKind.check(AppleObject(payload), is: .renewalInfo)
        try identity.check(environment: AppleObject(payload)?.environment)
        guard let chain = SignedRenewalInfoDecoder.chain(payload) else {
            throw SignedDataError(.malformedPayload, "this is not renewal information: the subscription's id is missing")
        }
        return chain
    }

    /// Returns the notification in a `signedPayload`, with the history that its inner signed data shows.
    public func notification(_ jws: String, for identity: AppIdentity) throws(SignedDataError) -> NotificationV2 {
        try notification(Array(jws.utf8)[...], for: identity)
    }

    /// Reads a `signedPayload` in place, since it may have 16 MiB.
    package func notification(
        _ jws: ArraySlice<UInt8>,
        for identity: AppIdentity
    ) throws(SignedDataError) -> NotificationV2 {
        let payload = try payload(jws, for: identity)
        try SignedDataKind.check(AppleObject(payload), is: .notification)
        guard var notification = NotificationV2(payload) else {
            throw SignedDataError(.malformedPayload, "this is not a notification: its type, its UUID or its data is missing")
        }
        // A notification about seats need not name the app. The address then decides, and there are no purchases in it.
        let isOpen = notification.unclaimedSeats != nil
        if !isOpen || notification.bundleID != nil { try identity.check(bundleID: notification.bundleID) }
        if !notification.isOfUnknownEnvironment, !isOpen || notification.environment != nil {
            try identity.check(environment: notification.environment)
        }
        if !isOpen || notification.appAppleID != nil { try identity.check(appAppleID: notification.appAppleID) }
        if isOpen { return notification }
        // A notification of an unknown environment is kept. Its purchases would otherwise count for an environment of ours.
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

    /// Returns what a receipt of the iOS 7 style says by itself; nil for anything else, which only verifyReceipt can read.
    ///
    /// The caller must check whose it is.
    ///
    /// - Parameter receiptData: Base64.
    package func receipt(_ receiptData: String, at now: Instant) throws(SignedDataError) -> ReceiptResponse? {
        guard let message = Base64.decode(receiptData.utf8).flatMap(SignedMessage.init) else { return nil }
        let receipt = AppReceipt(message.content)
        try verifyReceipt(message, receipt?.createdAt.milliseconds)
        return receipt?.response(at: now)
    }

    /// Returns the App Store's real-time request (Retention Messaging) in a `signedPayload`.
    ///
    /// - Parameter now: a request waits less than a second for its answer. One of another time was kept and sent again.
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
        // Otherwise the holder of a local test's certificate could sign purchases in Production.
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
    /// Returns the question about a refund, if it is one.
    fileprivate func question(about chain: PurchaseChain, _ object: AppleObject?) -> ConsumptionQuestion? {
        guard notificationType == "CONSUMPTION_REQUEST", let transaction = chain.transactions.first else { return nil }
        return ConsumptionQuestion(
            transactionID: transaction.id, originalTransactionID: chain.originalID, productID: transaction.productID,
            reason: consumptionRequestReason, isAdvancedCommerce: object?.object("advancedCommerceInfo") != nil)
    }
}

/// What the App Store signed, as the fields show that no other kind has.
enum SignedDataKind: CaseIterable {
    case transaction, renewalInfo, notification, retentionRequest, appTransaction

    /// Throws if a payload lacks every field of the expected kind and has one of another, and says which kind it is.
    ///
    /// To be called before app and environment are compared: an AppTransaction names its environment in another field.
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
            "this is an AppTransaction, which shows no purchase; send the jwsRepresentation of StoreKit's Transaction"
        }
    }
}
