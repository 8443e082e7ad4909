import EligibilityRules
import Testing

@testable import AppStore
@testable import OfferSigning

@Suite("Signed data")
struct SignedDataReaderTests {
    private static let transaction = """
        "transactionId":"2","originalTransactionId":"1","productId":"p","purchaseDate":1000,"signedDate":5000,
        "bundleId":"com.example","environment":"Production"
        """
    private static let renewal = #""originalTransactionId":"1","autoRenewStatus":1,"signedDate":5000,"environment":"Production""#

    private let identity = AppIdentity(bundleID: "com.example", appAppleID: 42, environment: .production)

    /// A reader that knows the payloads behind names, in place of signatures.
    private func reader(_ payloads: [String: String], isLocal: Bool = false) -> SignedDataReader {
        SignedDataReader { jws throws(SignedDataError) in
            guard let text = payloads[jws], let payload = try? Samples.json("{\(text)}") else {
                throw SignedDataError(.invalidSignature, "no key signed this")
            }
            return SignedData(payload: payload, signedDate: nil, isLocal: isLocal)
        }
    }

    private func notification(_ fields: String, inner: [String: String] = [:]) throws -> NotificationV2 {
        var payloads = inner
        payloads["outer"] = fields
        return try reader(payloads).notification("outer", for: identity)
    }

    private func error(_ body: () throws -> Void) -> SignedDataError.Code? {
        do { try body() } catch { return (error as? SignedDataError)?.code }
        return nil
    }

    @Test("A transaction and renewal information of this app are decoded")
    func decoded() throws {
        let reader = reader(["t": Self.transaction, "r": Self.renewal])
        #expect(try reader.transaction("t", for: identity).transactions.map(\.id) == ["2"])
        #expect(try reader.renewalInfo("r", for: identity).renewal?.value.willRenew == true)
    }

    @Test(
        "Data of another app, of another environment or without either is refused",
        arguments: [
            ("com.example", "com.other", SignedDataError.Code.bundleMismatch), ("\"com.example\"", "null", .bundleMismatch),
            ("Production", "Sandbox", .environmentMismatch), ("Production", "Mars", .environmentMismatch),
            ("\"Production\"", "null", .environmentMismatch), ("\"2\"", "null", .malformedPayload),
        ])
    func mismatch(original: String, replaced: String, code: SignedDataError.Code) {
        let reader = reader(["t": Self.transaction.replacing(original, with: replaced)])
        #expect(error { _ = try reader.transaction("t", for: identity) } == code)
    }

    @Test("Renewal information of another environment is refused, and a transaction is none")
    func renewalMismatch() {
        let reader = reader(["r": Self.renewal.replacing("Production", with: "Sandbox"), "t": Self.transaction])
        #expect(error { _ = try reader.renewalInfo("r", for: identity) } == .environmentMismatch)
        #expect(error { _ = try reader.renewalInfo("t", for: identity) } == .malformedPayload)
        #expect(error { _ = try reader.transaction("forged", for: identity) } == .invalidSignature)
    }

    /// Genuine data of each kind, by the word with which it is named.
    private static let kinds = [
        "a transaction": transaction, "renewal information": renewal,
        "a notification": #""notificationType":"TEST","notificationUUID":"u","data":{"bundleId":"com.example"}"#,
        "a request of Retention Messaging": #""requestIdentifier":"u","signedDate":5000"#,
        "an AppTransaction":
            #""receiptType":"Production","bundleId":"com.example","applicationVersion":"1","appTransactionId":"7""#,
    ]

    @Test(
        "Data of another kind than expected is named, whatever the app and the environment",
        arguments: ["com.example", "com.other"])
    func kinds(bundleID: String) {
        let identity = AppIdentity(bundleID: bundleID, appAppleID: 42, environment: .sandbox)
        let reader = reader(Self.kinds)
        let readings: [(expected: String, read: (String) throws -> Void)] = [
            ("a transaction", { _ = try reader.transaction($0, for: identity) }),
            ("renewal information", { _ = try reader.renewalInfo($0, for: identity) }),
            ("a notification", { _ = try reader.notification($0, for: identity) }),
            ("a request of Retention Messaging", { _ = try reader.retentionRequest($0, for: identity, at: 5000) }),
        ]
        for (expected, read) in readings {
            for kind in Self.kinds.keys where kind != expected {
                let error = #expect(throws: SignedDataError.self) { try read(kind) }
                #expect(
                    error?.code == .malformedPayload && error?.detail.hasPrefix("this is \(kind)") == true, "\(expected): \(kind)"
                )
            }
        }
    }

    @Test(
        "A local test's certificate speaks for Xcode and LocalTesting, and for nothing else",
        arguments: AppStoreEnvironment.allCases)
    func local(environment: AppStoreEnvironment) {
        let payload = ["t": Self.transaction.replacing("Production", with: environment.rawValue)]
        let identity = AppIdentity(bundleID: "com.example", appAppleID: nil, environment: environment)
        let isLocal = environment == .xcode || environment == .localTesting
        #expect(error { _ = try reader(payload, isLocal: isLocal).transaction("t", for: identity) } == nil)
        #expect(error { _ = try reader(payload, isLocal: !isLocal).transaction("t", for: identity) } == .environmentMismatch)
    }

    @Test("In Production the app's id has to be there and ours")
    func appAppleID() {
        func code(_ ours: Int64?, _ theirs: Int64?, _ environment: AppStoreEnvironment) -> SignedDataError.Code? {
            let identity = AppIdentity(bundleID: "b", appAppleID: ours, environment: environment)
            return error { try identity.check(appAppleID: theirs) }
        }
        #expect(code(1, 2, .production) == .appMismatch)
        #expect(code(1, 1, .production) == nil)
        #expect(code(1, nil, .production) == .appMismatch)
        #expect(code(nil, 2, .production) == .appMismatch)
        #expect(code(1, 2, .sandbox) == nil)
        #expect(code(1, nil, .sandbox) == nil)
    }

    @Test("Bundle ids are compared by their bytes")
    func canonicalEquivalence() {
        let identity = AppIdentity(bundleID: "com.K", appAppleID: nil, environment: .sandbox)
        #expect(error { try identity.check(bundleID: "com.\u{212A}", environment: .sandbox) } == .bundleMismatch)
    }

    @Test("A notification brings its transaction and its renewal together")
    func notification() throws {
        let notification = try notification(
            """
            "notificationType":"DID_RENEW","subtype":"BILLING_RECOVERY","notificationUUID":"u","version":"2.0","signedDate":6000,
            "data":{"appAppleId":42,"bundleId":"com.example","bundleVersion":"1","environment":"Production","status":1,
            "signedTransactionInfo":"t","signedRenewalInfo":"r"}
            """, inner: ["t": Self.transaction, "r": Self.renewal])
        #expect(notification.notificationType == "DID_RENEW" && notification.subtype == "BILLING_RECOVERY")
        #expect(notification.notificationUUID == "u" && notification.signedDate == 6000 && notification.status == 1)
        #expect(
            notification.bundleID == "com.example" && notification.appAppleID == 42 && notification.environment == .production)
        #expect(notification.history.chains.count == 1)
        #expect(notification.history.chains[0].transactions.count == 1 && notification.history.chains[0].renewal != nil)
    }

    @Test("A question about a refund names the purchase, and whether it is one of the Advanced Commerce API")
    func consumption() throws {
        func question(_ type: String, _ reason: String = "", _ fields: String = "") throws -> ConsumptionQuestion? {
            try notification(
                """
                "notificationType":"\(type)","notificationUUID":"u","version":"2.0","signedDate":6000,
                "data":{"appAppleId":42,"bundleId":"com.example","environment":"Production","signedTransactionInfo":"t"\(reason)}
                """, inner: ["t": Self.transaction + fields]
            ).consumption
        }
        let plain = try #require(try question("CONSUMPTION_REQUEST"))
        let chain = try reader(["t": Self.transaction]).transaction("t", for: identity)
        #expect(plain.transactionID == chain.transactions[0].id && plain.originalTransactionID == chain.originalID)
        #expect(plain.productID == chain.transactions[0].productID && plain.reason == nil && !plain.isAdvancedCommerce)
        #expect(
            try question("CONSUMPTION_REQUEST", #","consumptionRequestReason":"LEGAL""#, #","advancedCommerceInfo":{}"#)
                == ConsumptionQuestion(
                    transactionID: plain.transactionID, originalTransactionID: plain.originalTransactionID,
                    productID: plain.productID, reason: "LEGAL", isAdvancedCommerce: true))
        #expect(try question("REFUND") == nil)
    }

    @Test(
        "The app is named by whichever kind of data is there; unknown types, subtypes, kinds of data and environments pass",
        arguments: [
            #""data":{"bundleId":"com.example","environment":"Production","appAppleId":42}"#,
            #""data":{"bundleId":"com.example","environment":"Production","appAppleId":42},"version":"3.0""#,
            #""offerData":{"bundleId":"com.example","environment":"Production","appAppleId":42,"something":[1]}"#,
            #""data":{"bundleId":"com.example","environment":"Mars","appAppleId":42,"signedTransactionInfo":"never read"}"#,
            #""summary":{"bundleId":"com.example","environment":"Production","appAppleId":42,"failedCount":1}"#,
            #""externalPurchaseToken":{"externalPurchaseId":"1","bundleId":"com.example","appAppleId":42}"#,
            #""appData":{"bundleId":"com.example","environment":"Production","appAppleId":42,"signedAppTransactionInfo":"x"}"#,
        ])
    func kinds(data: String) throws {
        let notification = try notification(
            #""notificationType":"BRAND_NEW","subtype":"UNHEARD","notificationUUID":"u",\#(data)"#)
        #expect(notification.notificationType == "BRAND_NEW" && notification.subtype == "UNHEARD")
        #expect(notification.history.isEmpty && notification.status == nil)
        #expect(notification.unrecognisedFields.starts(with: ["notificationType", "subtype"]))
    }

    @Test(
        "A notification of another app, or one that is none, is refused",
        arguments: [
            (#""data":{"bundleId":"com.other","environment":"Production"}"#, SignedDataError.Code.bundleMismatch),
            (#""data":{"bundleId":"com.example","environment":"Sandbox"}"#, .environmentMismatch),
            (#""data":{"bundleId":"com.example","environment":"Production","appAppleId":43}"#, .appMismatch),
            (#""data":{"bundleId":"com.example","environment":"Production"}"#, .appMismatch),
            (#""data":{"bundleId":"com.example","environment":"Production","appAppleId":"x"}"#, .appMismatch),
            (#""data":{"bundleId":"com.example","environment":"Mars","appAppleId":43}"#, .appMismatch),
            (#""other":{"bundleId":"com.other"}"#, .bundleMismatch),
            (#""externalPurchaseToken":{"externalPurchaseId":"SANDBOX_1","bundleId":"com.example"}"#, .environmentMismatch),
            (#""data":[]"#, .malformedPayload), (#""other":{"name":"x"}"#, .malformedPayload),
            (
                #""data":{"bundleId":"com.example","environment":"Production","appAppleId":42,"signedTransactionInfo":"forged"}"#,
                .invalidSignature
            ),
            (
                #""data":{"bundleId":"com.example","environment":"Production","appAppleId":42,"signedTransactionInfo":"t"}"#,
                .bundleMismatch
            ),
        ])
    func refused(data: String, code: SignedDataError.Code) {
        let other = Self.transaction.replacing("com.example", with: "com.other")
        let fields = #""notificationType":"TEST","notificationUUID":"u",\#(data)"#
        #expect(error { _ = try notification(fields, inner: ["t": other]) } == code)
    }

    @Test("A refund of seats revokes nothing, whatever date comes with it", arguments: [("SEATS", false), ("OTHER", true)])
    func seatRefund(subtype: String, isRevoked: Bool) throws {
        let notification = try notification(
            """
            "notificationType":"REFUND","subtype":"\(subtype)","notificationUUID":"u","data":{"appAppleId":42,
            "bundleId":"com.example","environment":"Production","signedTransactionInfo":"t"}
            """, inner: ["t": Self.transaction + #","revocationDate":4000"#])
        #expect((notification.history.chains[0].transactions[0].revokedAt != nil) == isRevoked)
        #expect(!notification.unrecognisedFields.contains("notificationType"))
    }

    @Test(
        "Unclaimed seats come in any shape, and what names an app names ours",
        arguments: [
            (#""unclaimInfo":{"unclaimSeatIds":["a","b"]}"#, nil), (#""unclaimInfo":[1]"#, nil), (#""x":1"#, nil),
            (#""unclaimInfo":{"bundleId":"com.example","environment":"Production","appAppleId":42,"unclaimSeatIds":"a"}"#, nil),
            (#""unclaimInfo":{"bundleId":"com.other"}"#, .bundleMismatch), (#""unclaimInfo":{"appAppleId":43}"#, .appMismatch),
            (#""unclaimInfo":{"environment":"Sandbox"}"#, .environmentMismatch),
            (#""data":{"environment":"Production"},"unclaimInfo":{}"#, .bundleMismatch),
        ] as [(String, SignedDataError.Code?)])
    func unclaimedSeats(data: String, code: SignedDataError.Code?) {
        let fields = #""notificationType":"UNCLAIM_SEATS","notificationUUID":"u",\#(data)"#
        var unrecognised: [String] = []
        #expect(error { unrecognised = try notification(fields).unrecognisedFields } == code)
        #expect(unrecognised.isEmpty)
    }

    @Test("A notification without a type or a UUID is refused", arguments: ["notificationType", "notificationUUID"])
    func incomplete(field: String) {
        let fields = #""\#(field)":"x","data":{"bundleId":"com.example","environment":"Production"}"#
        #expect(error { _ = try notification(fields) } == .malformedPayload)
    }
}
