import EligibilityRules
import Testing

@testable import AppStore

@Suite("Answers of verifyReceipt")
struct ReceiptResponseTests {
    private func decode(_ text: String, from host: PurchaseEnvironment? = nil) throws -> ReceiptResponse {
        try #require(ReceiptResponse(Samples.json(text), from: host))
    }

    private func item(_ fields: String = "", id: String = "1", original: String = "1", at: Int64 = 1000) -> String {
        """
        {"transaction_id":"\(id)","original_transaction_id":"\(original)","product_id":"p",
        "purchase_date_ms":"\(at)","original_purchase_date_ms":"1000"\(fields)}
        """
    }

    private func transaction(_ fields: String) throws -> PurchaseTransaction {
        try #require(
            try decode(#"{"status":0,"latest_receipt_info":[\#(item(fields))]}"#).history.chains.first?.transactions.first)
    }

    @Test("The subscriber's receipt shows six periods of a group, the first of them introductory")
    func subscriber() throws {
        let response = try #require(
            ReceiptResponse(Samples.parsedFixture("verify-receipt-response-ios7-subscription"), from: .production))
        #expect(response.status == 0 && response.isGenuine && !response.isRetryable)
        #expect(response.environment == .sandbox && response.bundleID == "com.iksocial.queen" && response.latestReceipt == nil)
        #expect(response.history.chains.map(\.originalID) == ["1000000666265459", "1000000666751111"])

        let stamp = Stamp(asOf: 1_589_879_184_300, source: .receipt)
        let chain = response.history.chains[0]
        #expect(chain.groupID == "20563228" && chain.environment == .sandbox && chain.originallyPurchasedAt == 1_589_798_239_000)
        #expect(!chain.isListedFromStart && chain.showsFirstPeriod)
        #expect(
            chain.transactions.map(\.id) == [
                "1000000666265459", "1000000666268121", "1000000666271337", "1000000666273486", "1000000666276646",
                "1000000666280122",
            ])
        #expect(
            chain.transactions[0]
                == PurchaseTransaction(
                    id: "1000000666265459",
                    productID: "queen.plan1.super.1m.25yuan",
                    purchasedAt: 1_589_798_237_000,
                    terms: .init(lineItemID: "1000000052560746", offer: RedeemedOffer(kind: .introductory)),
                    state: .init(expiry: Stamped(1_589_798_537_000, stamp))
                ))
        #expect(chain.transactions.dropFirst().allSatisfy { $0.offer == nil && $0.expiry != nil && $0.revokedAt == nil })
        let renewal = RenewalState(
            willRenew: false, nextProductID: "queen.plan1.super.1m.25yuan", isInBillingRetry: false, expirationIntent: 1)
        #expect(chain.renewal == Stamped(renewal, stamp))

        let consumable = response.history.chains[1]
        #expect(consumable.transactions.map(\.productID) == ["queen.gold.42c.6yuan"])
        #expect(consumable.groupID == nil && consumable.transactions[0].expiry == nil && consumable.renewal == nil)
    }

    @Test("A receipt in the style of iOS 6 is one transaction, in the environment that was asked")
    func oldConsumable() throws {
        let response = try #require(
            ReceiptResponse(Samples.parsedFixture("verify-receipt-response-ios6-consumable"), from: .production))
        #expect(response.status == 0 && response.environment == .production && response.bundleID == "...")
        let chain = try #require(response.history.chains.first)
        #expect(chain.environment == .production && chain.originallyPurchasedAt == 1_531_643_137_200)
        #expect(chain.transactions == [PurchaseTransaction(id: "...", productID: "...", purchasedAt: 1_531_643_137_200)])
    }

    @Test("A subscription in the style of iOS 6 has its renewal at the top and its expiry in ms", arguments: [0, 21006])
    func oldSubscription(status: Int) throws {
        let name = status == 0 ? "latest_receipt_info" : "latest_expired_receipt_info"
        let response = try decode(
            """
            {"status":\(status),"auto_renew_status":0,"auto_renew_product_id":"q","expiration_intent":"2",
            "is_in_billing_retry_period":"1","latest_receipt":"TUFD",
            "receipt":\(item(#","bid":"b","expires_date":"2000""#)),
            "\(name)":\(item(#","expires_date":"3000","expires_date_formatted":"2020-05-18 10:37:17 Etc/GMT""#, id: "2", at: 2000))}
            """)
        #expect(response.bundleID == "b" && response.latestReceipt == "TUFD" && response.isGenuine)
        let chain = try #require(response.history.chains.first)
        #expect(chain.transactions.map(\.id) == ["1", "2"])
        #expect(chain.transactions.map { $0.expiry?.value } == [2000, 3000])
        let renewal = RenewalState(willRenew: false, nextProductID: "q", isInBillingRetry: true, expirationIntent: 2)
        // The period is said to be over, so that its end has passed.
        #expect(chain.renewal == Stamped(renewal, Stamp(asOf: 3000, source: .receipt)))
    }

    @Test(
        "Offers are recognised by their fields; a free period that names an offer is that offer's",
        arguments: [
            (#","is_trial_period":"true""#, RedeemedOffer(kind: .introductory)),
            (#","is_in_intro_offer_period":true"#, RedeemedOffer(kind: .introductory)),
            (#","is_trial_period":1,"promotional_offer_id":"x""#, RedeemedOffer(kind: .promotional, id: "x")),
            (#","is_trial_period":"true","offer_code_ref_name":"x""#, RedeemedOffer(kind: .offerCode, id: "x")),
            (#","is_trial_period":"true","win_back_offer_id":"x""#, RedeemedOffer(kind: .winBack, id: "x")),
            (#","is_trial_period":"false","promotional_offer_id":"x""#, RedeemedOffer(kind: .promotional, id: "x")),
            (#","offer_code_ref_name":"x""#, RedeemedOffer(kind: .offerCode, id: "x")),
            (#","win_back_offer_id":"x""#, RedeemedOffer(kind: .winBack, id: "x")),
            (#","is_trial_period":"false","is_in_intro_offer_period":"0","promotional_offer_id":"""#, nil), ("", nil),
        ])
    func offers(fields: String, offer: RedeemedOffer?) throws {
        #expect(try transaction(fields).offer == offer)
    }

    @Test("A cancellation revokes, its absence says nothing, and an upgrade revokes nothing")
    func cancellation() throws {
        let stamp = Stamp(asOf: 5000, source: .receipt)
        let cancelled = try transaction(#","cancellation_date_ms":"5000""#)
        #expect(cancelled.cancellation == Stamped(5000, stamp) && cancelled.revocation == nil && cancelled.revokedAt == 5000)
        #expect(try transaction("").cancellation == nil && transaction("").revocation == nil)
        let upgraded = try transaction(#","cancellation_date_ms":5000,"is_upgraded":"true""#)
        #expect(upgraded.isUpgraded && upgraded.revokedAt == nil)
    }

    @Test(
        "The line item comes with the transaction",
        arguments: [(#""7""#, "7"), ("7", "7"), (#""0""#, nil), ("0", nil), (#""""#, nil)])
    func lineItem(text: String, id: String?) throws {
        #expect(try transaction(#","web_order_line_item_id":\#(text)"#).lineItemID == id)
    }

    @Test("Ownership, account and group come with the transaction")
    func otherFields() throws {
        let fields = #","in_app_ownership_type":"FAMILY_SHARED","app_account_token":"AB","subscription_group_identifier":"9""#
        let chain = try decode(#"{"status":0,"latest_receipt_info":[\#(item(fields))]}"#).history.chains[0]
        #expect(chain.appAccountToken?.value == ExactText("ab") && chain.groupID == "9" && chain.transactions[0].isFamilyShared)
    }

    @Test("What both lists show becomes one transaction")
    func bothLists() throws {
        let response = try decode(
            """
            {"status":0,"receipt":{"bundle_id":"b","in_app":[\(item(#","is_trial_period":"true""#)),\(item(id: "2", at: 3000))]},
            "latest_receipt_info":[\(item(#","subscription_group_identifier":"9","expires_date_ms":"2000""#))]}
            """)
        let chain = try #require(response.history.chains.first)
        #expect(chain.groupID == "9" && chain.transactions.map(\.id) == ["1", "2"])
        #expect(chain.transactions[0].offer?.kind == .introductory && chain.transactions[0].expiry?.value == 2000)
    }

    @Test("The list of purchases cannot name an offer code: what names it wins over a bare trial, whichever comes first")
    func offerCodeInOneList() throws {
        let (bare, named) = (
            item(#","is_trial_period":"true""#), item(#","is_trial_period":"true","offer_code_ref_name":"free""#)
        )
        for (first, second) in [(bare, named), (named, bare)] {
            let response = try decode(
                #"{"status":0,"receipt":{"bundle_id":"b","in_app":[\#(first)]},"latest_receipt_info":[\#(second)]}"#)
            #expect(response.history.chains.first?.transactions.map(\.offer) == [RedeemedOffer(kind: .offerCode, id: "free")])
        }
    }

    @Test("Items that cannot be used are passed over, and the others stay")
    func malformedItems() throws {
        let items = [
            "null", "1", "[]", "{}", #"{"transaction_id":"7"}"#, #"{"transaction_id":"7","product_id":"p"}"#,
            #"{"transaction_id":[],"product_id":"p","purchase_date_ms":"1"}"#,
            #"{"transaction_id":"7","product_id":"p","purchase_date_ms":""}"#, item(),
        ]
        let list = items.joined(separator: ",")
        let response = try decode(
            #"{"status":0,"latest_receipt_info":[\#(list)],"receipt":{"in_app":"x"},"pending_renewal_info":[\#(list)]}"#)
        #expect(response.history.chains.count == 1)
        #expect(response.history.chains[0].transactions.map(\.id) == ["1"])
    }

    @Test("A purchase with a date that cannot be read is kept, as one that is not understood")
    func unreadableDates() throws {
        let stamp = Stamp(asOf: 9000, source: .receipt)
        func read(_ fields: String) throws -> PurchaseTransaction {
            let first = #"{"transaction_id":"1","original_transaction_id":"1","product_id":"p"\#(fields)}"#
            let response = try decode(
                #"{"status":0,"latest_receipt_info":[\#(first),\#(item(id: "2"))],"receipt":{"request_date_ms":9000}}"#)
            // The others stay, and the purchase itself.
            #expect(response.history.chains.first?.transactions.count == 2)
            return try #require(response.history.chains.first?.transactions.first { $0.id == "1" })
        }
        let undated = try read(#","purchase_date":"soon","expires_date_ms":"2000","is_trial_period":"true""#)
        // Not before the statement, so that a source with the date replaces it.
        #expect(undated.purchasedAt == 9000 && undated.kind == .unrecognised && undated.expiry?.value == 2000)
        #expect(undated.offer?.kind == .introductory)
        #expect(undated.particulars?.value.facts == [.init(name: "purchase_date", value: "soon", isRecognised: false)])
        let endless = try read(#","purchase_date_ms":"3000","expires_date":"2020-13-01T00:00:00Z""#)
        #expect(endless.purchasedAt == 3000 && endless.kind == .unrecognised && endless.expiry != nil)
        let earlier = Stamp(asOf: 1, source: .notificationV1)
        let known = PurchaseTransaction(id: "1", productID: "p", purchasedAt: 1000, state: .init(expiry: Stamped(5000, earlier)))
        #expect(endless.merged(with: known).expiry?.value == 5000)
        let refunded = try read(#","purchase_date_ms":"3000","expires_date_ms":"4000","cancellation_date":"once""#)
        #expect(refunded.cancellation == Stamped(9000, stamp) && refunded.kind == nil)
        #expect(refunded.particulars?.value.value(of: "cancellation_date") == "once")
    }

    @Test(
        "Every status is kept, and only genuine receipts have content",
        arguments: [
            ("21002", false, false), ("21003", false, false), ("21006", false, true),
            (#"21005,"is_retryable":true"#, true, false),
            (#""21199","is-retryable":"1""#, true, false), (#"21199,"is_retryable":"false""#, false, false),
        ])
    func statuses(status: String, isRetryable: Bool, isGenuine: Bool) throws {
        let response = try decode(#"{"status":\#(status),"receipt":\#(item(#","bid":"b""#))}"#)
        #expect(response.isRetryable == isRetryable && response.isGenuine == isGenuine)
        #expect(response.history.isEmpty == !isGenuine && (response.bundleID == "b") == isGenuine)
    }

    @Test("An answer without a status is none", arguments: ["{}", "[]", "null", #"{"status":null}"#, #"{"status":"ok"}"#])
    func noStatus(text: String) throws {
        #expect(try ReceiptResponse(Samples.json(text)) == nil)
    }

    @Test("Without the date of the request the latest date that has passed counts, and no end of a running period")
    func asOf() throws {
        let running = item(#","expires_date_ms":"90000""#, at: 7000)
        let dated = try decode(#"{"status":0,"receipt":{"request_date_ms":"8000","in_app":[\#(running)]}}"#)
        let undated = try decode(#"{"status":0,"receipt":{"in_app":[\#(running)]},"latest_receipt_info":[\#(item())]}"#)
        #expect(dated.history.chains[0].transactions.last?.expiry?.stamp.asOf == 8000)
        #expect(undated.history.chains[0].transactions.last?.expiry?.stamp.asOf == 7000)
    }
}
