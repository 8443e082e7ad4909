import OfferSigning

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
