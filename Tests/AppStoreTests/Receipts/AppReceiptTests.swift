import AppStoreTesting
import EligibilityRules
import OfferSigning
import OfferSigningTesting
import Testing
import WireText

@testable import AppStore

@Suite("Receipts read offline")
struct AppReceiptTests {
    private static let now = Instant(milliseconds: TestAuthority.signedDate)

    private let authority: TestAuthority

    init() throws { authority = try TestAuthority.receipts.get() }

    private func read(_ receipt: [UInt8], root: String = "root", at now: Instant = now) throws -> ReceiptResponse? {
        let roots = try TrustedRoots(pemOrDERFiles: [authority.der(root)])
        let reader = SignedDataReader(verifier: SignedDataVerifier(roots: roots) { now.milliseconds })
        return try reader.receipt(Base64.encode(receipt), at: now)
    }

    private func code(_ receipt: [UInt8], root: String = "root", at now: Instant = now) -> SignedDataError.Code? {
        do {
            _ = try read(receipt, root: root, at: now)
            return nil
        } catch {
            return (error as? SignedDataError)?.code
        }
    }

    private static let period = TestReceipt.item(
        "2", original: "1", at: "2023-05-01T00:00:00Z", until: "2023-06-01T00:00:00Z", (1713, .number(1)), (1719, .number(0)))
    private static let content = TestReceipt(items: [
        period, TestReceipt.item("3", original: "3", "coins", at: "2023-06-02T00:00:00Z"),
    ])

    @Test(
        "A receipt of Apple's structure is read, whatever its encoding and digests",
        arguments: [
            (["leaf", "intermediate", "root"], "sha256", []), (["leaf", "intermediate", "root"], "sha1", []),
            (["sha1-leaf", "sha1-intermediate", "root"], "sha1", []), (["leaf", "intermediate", "root"], "sha256", ["-stream"]),
            (["leaf", "root", "intermediate"], "sha256", []), (["leaf", "intermediate"], "sha256", []),
        ] as [([String], String, [String])])
    func genuine(names: [String], digest: String, options: [String]) throws {
        let receipt = try authority.receipt(Self.content.bytes, names, digest: digest, options)
        // 0x80 begins an indefinite length.
        #expect((receipt[1] == 0x80) == options.contains("-stream"))
        let response = try #require(try read(receipt))
        #expect(response.isGenuine && response.environment == .production && response.bundleID == "com.example.app")
        #expect(response.asOf == Self.now && response.showsAccount && response.latestReceipt == nil)
        let stamp = Stamp(asOf: Self.now, source: .receipt)
        #expect(response.history.chains.map(\.originalID) == ["1", "3"])
        #expect(
            response.history.chains[0].transactions == [
                PurchaseTransaction(
                    id: "2", productID: "pro", purchasedAt: 1_682_899_200_000,
                    terms: .init(
                        lineItemID: "1000000052560002", offer: RedeemedOffer(kind: .introductory),
                        sale: Sale(discount: Sale.freeTrial)),
                    state: .init(expiry: Stamped(1_685_577_600_000, stamp)))
            ])
        let other = response.history.chains[1].transactions[0]
        #expect(other.expiry == nil && other.lineItemID == nil)
    }

    @Test(
        "A receipt that Apple did not sign is refused, with the reason",
        arguments: [
            (["forged-leaf", "forged-intermediate", "forged-root"], .untrustedRoot),
            (["forged-leaf", "intermediate", "root"], .untrustedRoot), (["xcode"], .untrustedRoot), (["leaf"], .untrustedRoot),
            (["plain-leaf", "intermediate", "root"], .missingLeafMarker),
            (["leaf-of-plain", "plain-intermediate", "root"], .missingIntermediateMarker),
            (["ec-leaf", "intermediate", "root"], .unsupportedCertificateKey),
            (["weak-leaf", "intermediate", "root"], .unsupportedCertificateKey),
        ] as [([String], SignedDataError.Code)])
    func foreign(names: [String], expected: SignedDataError.Code) throws {
        #expect(code(try authority.receipt(Self.content.bytes, names)) == expected)
    }

    @Test("Certificates are judged when the receipt was made, not today")
    func validity() throws {
        let later = Self.now.advanced(by: 20 * 365 * 24 * 3_600_000)
        #expect(code(try authority.receipt(Self.content.bytes), at: later) == nil)
        for (date, expected) in [
            ("2021-12-31T23:59:59Z", SignedDataError.Code.certificateNotYetValid), ("2024-01-02T00:00:00Z", .certificateExpired),
        ] {
            #expect(code(try authority.receipt(TestReceipt(createdAt: date).bytes), at: later) == expected)
        }
        #expect(code(try authority.receipt(TestReceipt(createdAt: "2023-06-16T00:00:01Z").bytes)) == .signedInFuture)
    }

    @Test("A changed byte anywhere makes a receipt unreadable or refused, and never another receipt")
    func tampered() throws {
        let receipt = try authority.receipt(Self.content.bytes)
        let genuine = try #require(try read(receipt))
        for index in stride(from: 0, to: receipt.count, by: 7) {
            var changed = receipt
            changed[index] ^= 1
            // Certificates and algorithms have a few bytes that mean nothing, such as the root's own signature.
            guard let response = try? read(changed) else { continue }
            #expect(response.history == genuine.history && response.bundleID == genuine.bundleID, "byte \(index)")
        }
        let start = try #require(receipt.firstRange(of: Array("com.example.app".utf8))).lowerBound
        var changed = receipt
        changed[start] ^= 1
        #expect(code(changed) == .invalidSignature)
    }

    @Test(
        "What is signed but is no receipt is refused",
        arguments: [
            TestReceipt(type: nil).bytes, TestReceipt(bundleID: nil).bytes, TestReceipt(createdAt: nil).bytes,
            TestReceipt(createdAt: "2023-06-15 00:00:00").bytes, Array(TestReceipt().bytes.dropLast()), TestReceipt().bytes + [0],
            [0x31, 0],
            Array("no receipt".utf8), TestReceipt.element(0x31, Array(repeating: 0, count: 300)),
        ] as [[UInt8]])
    func malformed(content: [UInt8]) throws {
        #expect(code(try authority.receipt(content)) == .malformedPayload)
        #expect(code(try authority.receipt(content, ["xcode"])) == .untrustedRoot)
    }

    @Test("What is no signed message is for verifyReceipt")
    func otherForms() throws {
        let receipt = try authority.receipt(Self.content.bytes)
        let old = Array(#"{"signature" = "…"; "purchase-info" = "…";}"#.utf8)
        for other in [[], old, Array(receipt.dropLast()), receipt + [0]] {
            #expect(try read(other) == nil)
        }
    }

    @Test("Thousands of purchases are read, and more fields than a receipt can have are refused")
    func size() throws {
        func content(_ count: Int) -> [UInt8] {
            TestReceipt(items: (1...count).map { TestReceipt.item("\($0)", original: "\($0)", at: "2023-05-01T00:00:00Z") }).bytes
        }
        let response = try #require(try read(try authority.receipt(content(5000))))
        #expect(response.history.chains.map(\.transactions.count).reduce(0, +) == 5000)
        let empty = TestReceipt(items: Array(repeating: [], count: 50_000)).bytes
        #expect(code(try authority.receipt(empty)) == .malformedPayload)
    }

    @Test(
        "The environment is Production, Sandbox, or one that is not known",
        arguments: [
            ("Production", .production), ("ProductionVPP", .production), ("ProductionSandbox", .sandbox),
            ("ProductionVPPSandbox", .sandbox), ("Xcode", .local), ("ProductionNext", .unrecognised),
        ] as [(String, PurchaseEnvironment)])
    func environment(type: String, environment: PurchaseEnvironment) throws {
        #expect(try read(try authority.receipt(TestReceipt(type: type).bytes))?.environment == environment)
    }

    @Test("A receipt shows the whole account for a day")
    func freshness() throws {
        let receipt = try authority.receipt(Self.content.bytes)
        let day: Int64 = 24 * 3_600_000
        #expect(try read(receipt, at: Self.now.advanced(by: day))?.showsAccount == true)
        #expect(try read(receipt, at: Self.now.advanced(by: day + 1))?.showsAccount == false)
    }

    @Test("A cancellation is a refund, unless the next period begins at that instant")
    func cancellation() throws {
        let (refund, upgrade) = ("2023-05-20T00:00:00Z", "2023-05-10T00:00:00Z")
        let content = TestReceipt(items: [
            TestReceipt.item("1", at: "2023-05-01T00:00:00Z", until: "2023-06-01T00:00:00Z", cancelled: upgrade),
            TestReceipt.item("2", "team", at: upgrade, until: "2023-06-10T00:00:00Z", cancelled: refund),
            TestReceipt.item("9", original: "9", at: refund),
        ])
        let chain = try #require(try read(try authority.receipt(content.bytes))?.history.chains.first)
        #expect(chain.transactions.map(\.isUpgraded) == [true, false])
        #expect(chain.transactions.map { $0.revokedAt?.milliseconds } == [nil, 1_684_540_800_000])
    }

    @Test(
        "Every spelling of a date gives the same history",
        arguments: [
            ("2023-05-01T00:00:00.000Z", "2023-06-01T02:00:00+02:00"), ("2023-04-30T17:00:00-07:00", "2023-05-31T23:59:60Z"),
            ("2023-05-01t00:00:00z", "2023-06-01T00:00:00.0001Z"), ("2023-05-01T00:00:00Z", "2023-06-01T00:00:00Z"),
        ])
    func spellings(begin: String, end: String) throws {
        func history(_ begin: String, _ end: String, _ createdAt: String) throws -> PurchaseHistory {
            let period = TestReceipt.item("2", original: "1", at: begin, until: end, cancelled: end, (1713, .number(1)))
            let next = TestReceipt.item("3", original: "1", "team", at: "2023-06-01T00:00:00Z", until: "2023-07-01T00:00:00Z")
            return try #require(
                try read(try authority.receipt(TestReceipt(createdAt: createdAt, items: [period, next]).bytes))?.history)
        }
        let plain = try history("2023-05-01T00:00:00Z", "2023-06-01T00:00:00Z", "2023-06-15T00:00:00Z")
        // An upgrade is known by the instant, not by its spelling.
        #expect(plain.chains.first?.transactions.map(\.isUpgraded) == [true, false])
        #expect(try history(begin, end, "2023-06-14T18:00:00.0-06:00") == plain)
    }

    @Test("A date that cannot be read loses neither its purchase nor the others")
    func unreadableDate() throws {
        let content = TestReceipt(items: [
            TestReceipt.item("2", original: "1", at: "2023-05-01T00:00:00Z", until: "whenever", (1713, .number(1))),
            TestReceipt.item("3", original: "3", at: "2023-02-30T00:00:00Z"),
            TestReceipt.item("4", original: "4", at: "2023-05-01T00:00:00Z"),
        ])
        let response = try #require(try read(try authority.receipt(content.bytes)))
        #expect(response.history.chains.map { $0.transactions.map(\.id) } == [["2"], ["3"], ["4"]])
        #expect(response.history.chains[1].transactions[0].purchasedAt == Self.now)
        let alone = TestReceipt(items: [TestReceipt.item("2", at: "2023-05-01T00:00:00Z", until: "whenever", (1713, .number(1)))])
        let doubtful = try #require(try read(try authority.receipt(alone.bytes))?.history.chains.first)
        #expect(doubtful.concernsSubscriptions && !doubtful.isSubscription)
    }

    @Test("An offer's id stands in the receipt, as public readers know it")
    func promotionalOffer() throws {
        let item = TestReceipt.item(at: "2023-05-01T00:00:00Z", (1713, .number(1)), (1721, .text("spring")))
        let chain = try #require(try read(try authority.receipt(TestReceipt(items: [item]).bytes))?.history.chains.first)
        #expect(chain.transactions[0].offer == RedeemedOffer(kind: .promotional, id: "spring"))
    }

    @Test("A receipt gives what verifyReceipt gives, in everything that it says")
    func fixture() throws {
        let answer = try Samples.parsedFixture("verify-receipt-response-ios7-subscription")
        let shown = try #require(answer.member("receipt"))
        // Of 2020, with the certificates and the digest of its time.
        let receipt = try authority.receipt(
            try TestReceipt(verified: shown).bytes, ["sha1-leaf", "sha1-intermediate", "root"], digest: "sha1")
        let own = try #require(try read(receipt, at: Self.now))
        // The same answer without the lists that a receipt does not have, as of the receipt's date.
        let created = try #require(shown.member("receipt_creation_date_ms"))
        let expected = try #require(
            ReceiptResponse(
                answer.setting("latest_receipt_info", nil).setting("pending_renewal_info", nil)
                    .setting("receipt", shown.setting("request_date_ms", created))))
        #expect(own.history == expected.history && own.asOf == expected.asOf)
        #expect((own.environment, own.bundleID) == (expected.environment, expected.bundleID))
        // And nothing of it contradicts the whole answer.
        let whole = try #require(ReceiptResponse(answer)).history
        #expect(whole.chains.map(\.originalID) == own.history.chains.map(\.originalID))
        for (chain, other) in zip(own.history.chains, whole.chains) {
            #expect(chain.transactions.map(\.id) == other.transactions.map(\.id))
            #expect(chain.transactions.map(\.offer) == other.transactions.map(\.offer))
            #expect(chain.transactions.map(\.lineItemID) == other.transactions.map(\.lineItemID))
            #expect(chain.transactions.map { $0.expiry?.value } == other.transactions.map { $0.expiry?.value })
            #expect(chain.transactions.map(\.purchasedAt) == other.transactions.map(\.purchasedAt))
        }
    }
}

extension TestReceipt {
    /// The receipt that verifyReceipt has answered about: its field `receipt`.
    fileprivate init(verified receipt: JSONValue) throws {
        let names = [
            1702: "product_id", 1703: "transaction_id", 1704: "purchase_date", 1705: "original_transaction_id",
            1706: "original_purchase_date", 1708: "expires_date", 1712: "cancellation_date", 1713: "is_trial_period",
            1711: "web_order_line_item_id", 1719: "is_in_intro_offer_period",
        ]
        func value(_ item: AppleObject, _ name: String) -> Value? {
            if let flag = item.flag(name) { return .number(flag ? 1 : 0) }
            if name.hasSuffix("_item_id") { return item.integer(name).map { .number(Int($0)) } }
            return name.hasSuffix("_date") ? item.text(name).map { .date(Self.date($0)) } : item.text(name).map(Value.text)
        }
        let object = try #require(AppleObject(receipt))
        self.init(
            type: object.text("receipt_type"), bundleID: object.text("bundle_id"),
            createdAt: object.text("receipt_creation_date").map(Self.date),
            items: object.objects("in_app").map { item in
                names.sorted { $0.key < $1.key }.compactMap { number, name in value(item, name).map { (number, $0) } }
            })
    }

    private static func date(_ text: String) -> String {
        text.replacing(" Etc/GMT", with: "Z").replacing(" ", with: "T")
    }
}
