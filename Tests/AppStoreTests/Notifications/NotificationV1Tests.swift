import EligibilityRules
import OfferSigning
import Testing

@testable import AppStore

@Suite("Notifications, version 1")
struct NotificationV1Tests {
    private func decode(_ text: String) throws -> NotificationV1 { try #require(NotificationV1(Samples.json(text))) }

    private let refundAt = Instant(milliseconds: 1_595_916_053_000)

    private func item(_ fields: String = "") -> String {
        #"{"transaction_id":"2","original_transaction_id":"1","product_id":"p","purchase_date_ms":"2000"\#(fields)}"#
    }

    @Test("The refund of 2020-07-28 is read from both generations together")
    func refund() throws {
        let notification = try #require(NotificationV1(Samples.parsedFixture("notification-v1-refund")))
        #expect(notification.notificationType == "REFUND" && notification.bundleID == "..." && notification.password == "...")
        #expect(notification.environment == .production && notification.originalTransactionID == "...")
        let stamp = Stamp(asOf: refundAt, source: .notificationV1)
        let transaction = PurchaseTransaction(
            id: "...", productID: "...", purchasedAt: 1_595_836_723_000,
            state: .init(
                cancellation: Stamped(refundAt, stamp),
                particulars: Stamped(Particulars([.init(name: "cancellation_reason", value: "0")]), stamp)))
        #expect(notification.history.chains.map(\.transactions) == [[transaction]])
        #expect(notification.history.chains[0].environment == .production)
    }

    @Test("Either generation alone shows the refund", arguments: ["latest_receipt_info", "unified_receipt"])
    func refundOfOneGeneration(kept: String) throws {
        let dropped = kept == "unified_receipt" ? "latest_receipt_info" : "unified_receipt"
        let fixture = try #require(AppleObject(Samples.parsedFixture("notification-v1-refund")))
        let notification = try #require(NotificationV1(fixture.without(dropped)))
        #expect(notification.history.chains.first?.transactions.first?.revokedAt == refundAt)
    }

    @Test("A refund that stands beside the transaction is not lost, and an upgrade cancels nothing new")
    func cancellationAtTheTop() throws {
        func revokedAt(_ date: Int64, _ fields: String = "", item: String = "") throws -> Instant? {
            let top = #""notification_type":"CANCEL","cancellation_date_ms":"\#(date)"\#(fields)"#
            return try decode(#"{\#(top),"latest_expired_receipt_info":\#(self.item(item))}"#).history.chains[0].transactions[0]
                .revokedAt
        }
        #expect(try revokedAt(3000) == 3000)
        #expect(try revokedAt(3000, #","web_order_line_item_id":"7""#, item: #","web_order_line_item_id":"7""#) == 3000)
        #expect(try revokedAt(3000, #","web_order_line_item_id":"7""#, item: #","web_order_line_item_id":"8""#) == nil)
        #expect(try revokedAt(2000) == nil)
        let unified = try decode(
            #"{"notification_type":"CANCEL","cancellation_date_ms":3000,"web_order_line_item_id":"7","#
                + #""unified_receipt":{"latest_receipt_info":[\#(item(#","web_order_line_item_id":"7""#))]}}"#)
        #expect(unified.history.chains[0].transactions[0].revokedAt == 3000)
    }

    @Test("The renewal at the top is read, in strings, where no list says more")
    func renewal() throws {
        let top =
            #""notification_type":"DID_CHANGE_RENEWAL_STATUS","auto_renew_status":"false","auto_renew_product_id":"q","#
            + #""auto_renew_status_change_date_ms":"2500","original_transaction_id":1"#
        let stamp = Stamp(asOf: 2500, source: .notificationV1)
        let alone = try decode("{\(top),\"latest_receipt_info\":\(item())}")
        #expect(alone.history.chains[0].renewal == Stamped(RenewalState(willRenew: false, nextProductID: "q"), stamp))
        let list = #"[{"original_transaction_id":"1","auto_renew_status":"0","is_in_billing_retry_period":"0"}]"#
        let both = try decode(
            #"{\#(top),"unified_receipt":{"latest_receipt_info":[\#(item())],"pending_renewal_info":\#(list)}}"#)
        #expect(both.history.chains.count == 1)
        #expect(both.history.chains[0].renewal == Stamped(RenewalState(willRenew: false, isInBillingRetry: false), stamp))
    }

    @Test("Billing retry is as of the end of the period, or later news of the same subscription would be passed over")
    func billingRetry() throws {
        let retry = #"[{"original_transaction_id":"1","auto_renew_status":"1","is_in_billing_retry_period":"1"}]"#
        let notification = try decode(
            #"{"notification_type":"DID_FAIL_TO_RENEW","unified_receipt":{"latest_receipt_info":"#
                + #"[\#(item(#","expires_date_ms":"9000""#))],"pending_renewal_info":\#(retry)}}"#)
        #expect(notification.history.chains[0].renewal?.stamp.asOf == 9000)
    }

    @Test(
        "Environments are recognised by either name",
        arguments: [
            (#""environment":"PROD""#, PurchaseEnvironment.production), (#""environment":"Sandbox""#, .sandbox),
            (#""unified_receipt":{"environment":"Production"}"#, .production), (#""environment":"Mars""#, .unrecognised),
        ])
    func environments(fields: String, environment: PurchaseEnvironment?) throws {
        #expect(try decode(#"{"notification_type":"NEW_ONE",\#(fields)}"#).environment == environment)
    }

    @Test("A repetition is known by the same JSON without its password, wherever that stands and however the sender spaces it")
    func identity() throws {
        let digest = Crypto.hexadecimal(Crypto.sha256("TUFD".utf8))
        let kept = #"{"notification_type":"X","price":1.50,"latest_receipt":"\#(digest)","deep":{"password":"stays"}}"#
        let bodies = [
            #"{"password":"s3cret","notification_type":"X","price":1.50,"latest_receipt":"TUFD","deep":{"password":"stays"}}"#,
            "{ \"notification_type\" : \"X\",\n\"price\":1.50,\"latest_receipt\":\"TUFD\",\"deep\":{\"password\":\"stays\"},"
                + "\"password\":\"other\"}",
        ]
        for body in bodies {
            let notification = try decode(body)
            #expect(String(decoding: notification.identity, as: UTF8.self) == kept)
        }
    }

    @Test("What is kept is without the password and without receipts, which are kept sealed")
    func contentToKeep() throws {
        let notification = try decode(
            #"{"password":"s3cret","notification_type":"X","latest_receipt":"TUFD","latest_expired_receipt":"TUFE","#
                + #""unified_receipt":{"status":0,"latest_receipt":"TUFF","latest_receipt_info":[]},"bid":"b"}"#)
        #expect(
            String(decoding: notification.contentToKeep, as: UTF8.self)
                == #"{"notification_type":"X","unified_receipt":{"status":0,"latest_receipt_info":[]},"bid":"b"}"#)
        #expect(notification.latestReceipt == "TUFF")
    }

    @Test(
        "The newest receipt of a notification is the unified one, or that of the old form, expired or not",
        arguments: [
            (#""latest_receipt":"TUFD""#, "TUFD"), (#""latest_expired_receipt":"TUFE""#, "TUFE"), (#""bid":"b""#, nil),
            (#""latest_receipt":"TUFD","unified_receipt":{"latest_receipt":"TUFF"}"#, "TUFF"),
        ] as [(String, String?)])
    func latestReceipt(fields: String, receipt: String?) throws {
        #expect(try decode(#"{"notification_type":"X",\#(fields)}"#).latestReceipt == receipt)
    }

    @Test("A notification prints neither its password nor its content")
    func printing() throws {
        let notification = try decode(#"{"notification_type":"X","password":"s3cret","bid":"com.example"}"#)
        #expect(notification.password == "s3cret")
        var dumped = ""
        dump(notification, to: &dumped)
        dump([notification], to: &dumped)
        for text in ["\(notification)", String(reflecting: notification), "\(Optional(notification) as Any)", dumped] {
            #expect(!text.contains("s3cret") && !text.contains("com.example") && text.contains("X"))
        }
    }

    @Test(
        "A body without a type is none",
        arguments: ["{}", "[]", "null", #"{"notification_type":7.5}"#, #"{"signedPayload":"x"}"#])
    func other(text: String) throws {
        #expect(try NotificationV1(Samples.json(text)) == nil)
    }
}
