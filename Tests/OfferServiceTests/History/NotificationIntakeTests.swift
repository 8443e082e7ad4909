import EligibilityRules
import OfferStore
import OfferStoreSQL
import OfferStoreSQLite
import OfferStoreTesting
import Testing

@testable import OfferService

@Suite("Notifications")
struct NotificationIntakeTests {
    private static let data =
        #"{"appAppleId":42,"bundleId":"com.example.app","environment":"Production","signedTransactionInfo":"TRANSACTION"}"#
    private static let v2 = [
        "notificationType": #""SUBSCRIBED""#, "subtype": #""INITIAL_BUY""#, "notificationUUID": #""uuid""#,
        "version": #""2.0""#, "signedDate": "1686787200000", "data": data,
    ]
    private static let v1 = [
        "notification_type": #""DID_RENEW""#, "password": #""secret""#, "bid": #""com.example.app""#,
        "environment": #""PROD""#,
        "latest_receipt_info": """
        {"transaction_id":"1000","original_transaction_id":"1000","product_id":"pro","purchase_date_ms":"1684000000000",
        "expires_date_ms":"1687000000000"}
        """,
    ]

    private let workshop: HistoryWorkshop

    init() throws { workshop = try HistoryWorkshop(sharedSecret: "secret") }

    /// A body of generation 2, with members replaced.
    private func signed(
        _ fields: [String: String] = [:],
        transaction: String? = nil,
        forged: Bool = false
    ) throws -> [UInt8] {
        let transaction = try transaction ?? workshop.transaction()
        let payload = HistoryWorkshop.json(Self.v2.merging(fields) { $1 }).replacing("TRANSACTION", with: transaction)
        return Array(#"{"signedPayload":"\#(try workshop.sign(payload, forged: forged))"}"#.utf8)
    }

    private func unsigned(_ fields: [String: String?] = [:]) -> [UInt8] {
        let members = Self.v1.merging(fields.compactMapValues(\.self)) { $1 }.filter { fields[$0.key] != .some(nil) }
        return Array(HistoryWorkshop.json(members).utf8)
    }

    private func kept() async throws -> [NotificationRecord] {
        try await workshop.histories.wholeNotifications(partition: "com.example.app", originalTransactionID: "1000")
    }

    /// The code of a refusal, after which nothing may have been stored.
    private func refusal(_ body: [UInt8], _ app: App? = nil) async throws -> String? {
        defer { #expect(workshop.observer.words == []) }
        do {
            _ = try await workshop.notifications.take(body, app ?? workshop.app)
            return nil
        } catch let error as HistoryError {
            #expect(try await workshop.histories.isEmpty())
            if case .notAuthentic(let code, _) = error { return code }
            if case .malformedNotification = error { return "malformed" }
            throw error
        }
    }

    @Test("What the App Store signed is kept as it came, with what it says of purchases, once")
    func authentic() async throws {
        let body = try signed()
        #expect(try await workshop.notifications.take(body, workshop.app) == .stored)
        let record = NotificationRecord(
            key: Array("uuid".utf8), version: 2, type: "SUBSCRIBED", subtype: "INITIAL_BUY", originalTransactionID: "1000",
            body: body, receivedAt: workshop.start)
        #expect(try await kept() == [record])
        // Its customer is not known yet.
        #expect(try await workshop.histories.ids(.sample(transaction: "1000")) == ["1000"])
        _ = try await workshop.histories.bind(
            originalTransactionID: "1000", to: "anna", partition: "com.example.app", now: workshop.start)
        #expect(try await workshop.histories.ids(.sample(customer: "anna")) == ["1000"])
        workshop.clock.pass(1000)
        #expect(try await workshop.notifications.take(body, workshop.app) == .known)
        // The UUID counts: what comes under it again says nothing, whatever is in it.
        let other = try signed(transaction: workshop.transaction("2000"))
        #expect(try await workshop.notifications.take(other, workshop.app) == .known)
        #expect(try await workshop.histories.ids(.sample(transaction: "2000")) == [])
        #expect(try await kept() == [record])
        #expect(workshop.observer.words == [])
    }

    @Test("Signed data is found however the body is written, and is not searched for")
    func forms() async throws {
        let text = String(decoding: try signed(), as: UTF8.self)
        for (old, new) in [("{", #"{ "new": "a:\"b", "#), ("\"ey", #""\u0065y"#), (":", " : ")] {
            let body = Array(text.replacing(old, with: new, maxReplacements: 1).utf8)
            #expect(try workshop.notifications.authenticate(body, workshop.app).record.type == "SUBSCRIBED", "\(new)")
        }
        // Half of it would be compared at each of a million places.
        let e = String(repeating: "e", count: 1 << 20)
        #expect(try await refusal(Array(#"{"new":"\#(e)\#(e)","signedPayload":"\#(e)\u0065."}"#.utf8)) == "malformed-jws")
    }

    @Test("A purchase with the customer's UUID in it is the customer's")
    func token() async throws {
        let token = "5d6f0c4e-0000-4000-8000-000000000001"
        let body = try signed(transaction: workshop.transaction("1000", ["appAccountToken": #""\#(token)""#]))
        #expect(try await workshop.notifications.take(body, workshop.app) == .stored)
        #expect(try await workshop.histories.ids(.sample(token: token)) == ["1000"])
    }

    @Test(
        "Unknown values are kept and reported",
        arguments: [
            (["notificationType": #""TELEPORTED""#], ["notificationType"], true),
            (["subtype": #""SIDEWAYS""#], ["subtype"], true),
            (["data": data.replacing("Production", with: "Mars")], ["environment"], false),
            (["data": data.replacing("}", with: #","status":99}"#)], ["status"], true),
        ] as [([String: String], [String], Bool)])
    func unknown(fields: [String: String], expected: [String], showsPurchase: Bool) async throws {
        #expect(try await workshop.notifications.take(signed(fields), workshop.app) == .stored)
        #expect(try await workshop.notifications.take(signed(fields), workshop.app) == .known)
        #expect(workshop.observer.words == expected)
        #expect(try await workshop.histories.ids(.sample(transaction: "1000")) == (showsPurchase ? ["1000"] : []))
    }

    @Test("A product that the App Store has in another group than the catalogue is reported, once")
    func difference() async throws {
        for (uuid, id) in [("a", "1000"), ("b", "2000")] {
            let transaction = try workshop.transaction(id, ["subscriptionGroupIdentifier": #""7""#])
            let body = try signed(["notificationUUID": "\"\(uuid)\""], transaction: transaction)
            #expect(try await workshop.notifications.take(body, workshop.app) == .stored)
        }
        #expect(workshop.observer.words == ["pro is in 7"])
    }

    @Test("What others signed, or what is another app's, leaves nothing behind")
    func notAuthentic() async throws {
        #expect(try await refusal(signed(forged: true)) == "untrusted-root")
        let genuine = String(decoding: try signed(), as: UTF8.self)
        let swapped = String(decoding: try signed(["notificationUUID": #""other""#]), as: UTF8.self)
        let parts = genuine.split(separator: ".")
        let tampered = [parts[0], swapped.split(separator: ".")[1], parts[2]].joined(separator: ".")
        #expect(try await refusal(Array(tampered.utf8)) == "invalid-signature")
        #expect(try await refusal(signed(transaction: workshop.transaction(forged: true))) == "untrusted-root")
        let foreign = try workshop.transaction("1000", ["bundleId": #""com.example.other""#])
        #expect(try await refusal(signed(transaction: foreign)) == "bundle-mismatch")
        for (found, replaced, code) in [
            ("com.example.app", "com.example.other", "bundle-mismatch"), ("42", "43", "app-mismatch"),
            ("Production", "Sandbox", "environment-mismatch"),
        ] {
            #expect(try await refusal(signed(["data": Self.data.replacing(found, with: replaced)])) == code)
        }
        let ahead = workshop.start.advanced(by: 86_400_001).milliseconds
        #expect(try await refusal(signed(["signedDate": "\(ahead)"])) == "signed-in-future")
        // After all of that, it still comes in.
        #expect(try await workshop.notifications.take(signed(), workshop.app) == .stored)
    }

    @Test(
        "What is no notification is refused as such",
        arguments: [
            "", "{", "[]", "null", "{}", #"{"signedPayload":1}"#, #"{"signedPayload":null}"#, #"{"notification_type":[]}"#,
        ])
    func malformed(body: String) async throws { #expect(try await refusal(Array(body.utf8)) == "malformed") }

    @Test("Generation 1 is kept without its password, and known again by the rest")
    func generation1() async throws {
        #expect(try await workshop.notifications.take(unsigned(), workshop.app) == .stored)
        let record = try #require(try await kept().first)
        #expect((record.version, record.type, record.subtype) == (1, "DID_RENEW", nil))
        #expect(record.body == unsigned(["password": nil]).filter { $0 != 0x0A })
        #expect(record.key.count == 32)
        #expect(try await workshop.histories.ids(.sample(transaction: "1000")) == ["1000"])
        let spaced = String(decoding: unsigned(), as: UTF8.self).replacing(",", with: " ,\n")
        #expect(try await workshop.notifications.take(Array(spaced.utf8), workshop.app) == .known)
        #expect(try await workshop.notifications.take(unsigned(["notification_type": #""LOST""#]), workshop.app) == .stored)
        #expect(try await kept().count == 2)
        #expect(workshop.observer.words == ["notification_type"])
    }

    @Test("Generation 1 has to bring the shared secret, and to be for this app")
    func secret() async throws {
        for password in [nil, "null", #""""#, #""Secret""#, #""secret ""#, #""secre""#, "1"] as [String?] {
            #expect(try await refusal(unsigned(["password": password])) == "shared-secret-mismatch", "\(password ?? "none")")
        }
        #expect(try await refusal(unsigned(["bid": #""com.example.other""#])) == "bundle-mismatch")
        let open = try HistoryWorkshop()
        #expect(try await refusal(unsigned(), open.app) == "shared-secret-missing")
        // An operator's import was authenticated when it came.
        let imported = try workshop.notifications.authenticate(unsigned(["password": nil]), open.app, requiresSecret: false)
        #expect(imported.record.originalTransactionID == "1000")
        // It need not name the app.
        #expect(try await workshop.notifications.take(unsigned(["bid": nil]), workshop.app) == .stored)
    }

    @Test("Purchases of the other environment are kept, and show nothing of what the customer's account has")
    func sandbox() async throws {
        #expect(try await workshop.notifications.take(unsigned(["environment": #""Sandbox""#]), workshop.app) == .stored)
        let stored = try await workshop.histories.wholeHistory(of: .sample(transaction: "1000"))
        #expect(stored.history.chains.map(\.environment) == [.sandbox])
        #expect(workshop.app.groups.current == .none)
    }

    @Test("While the store is away nothing is taken, and afterwards the same notification is")
    func storeAway() async throws {
        workshop.histories.isAway = true
        let unknown = try signed(["notificationType": #""TELEPORTED""#])
        await #expect(throws: StoreError(.unavailable, "")) { try await workshop.notifications.take(unknown, workshop.app) }
        #expect(workshop.observer.words == [])
        workshop.histories.isAway = false
        #expect(try await workshop.notifications.take(unknown, workshop.app) == .stored)
        #expect(workshop.observer.words == ["notificationType"])
    }

    @Test("However often a notification comes at once, it is stored once and told of once")
    func concurrency() async throws {
        let folder = try TemporaryFolder()
        let histories = try SQLiteHistoryStore(SQLiteHistoryFile(path: folder.path("histories.sqlite")))
        let intake = NotificationIntake(
            intake: HistoryIntake(
                store: histories, reader: workshop.reader, system: workshop.clock.environment, observer: workshop.observer))
        let bodies = try (0..<10).map { number in
            try signed(
                ["notificationUUID": "\"\(number)\"", "notificationType": #""TELEPORTED""#],
                transaction: workshop.transaction(
                    "1000\(number)", original: "1000",
                    ["transactionReason": #""WHIM""#, "webOrderLineItemId": "\(number + 1)"]))
        }
        let outcomes = try await withThrowingTaskGroup(of: NotificationIntake.Outcome.self) { group in
            for _ in 0..<20 { for body in bodies { group.addTask { try await intake.take(body, workshop.app) } } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.count { $0 == .stored } == bodies.count)
        #expect(outcomes.count == 20 * bodies.count)
        for word in ["notificationType", "transactionReason"] {
            #expect(workshop.observer.words.count { $0 == word } == bodies.count)
        }
        let records = try await histories.wholeNotifications(partition: "com.example.app", originalTransactionID: "1000")
        #expect(Set(records.map(\.body)) == Set(bodies) && records.count == bodies.count)
        let stored = try await histories.wholeHistory(of: .sample(transaction: "1000"))
        #expect(stored.history.chains.map(\.transactions.count) == [10])
    }
}
