import AppStore
import AppStoreTesting
import EligibilityRules
import Foundation
import OfferStore
import OfferStoreTesting
import ServiceLifecycle
import Testing

@testable import OfferService

@Suite("Polling with receipts", .timeLimit(.minutes(30)))
struct ReceiptPollerTests {
    private static let minute = ReceiptWorkshop.minute
    private static let hour = ReceiptWorkshop.hour
    private static let day = ReceiptWorkshop.day

    private let workshop: ReceiptWorkshop

    init() throws { workshop = try ReceiptWorkshop() }

    private func at(_ milliseconds: Int64) -> Instant { workshop.start.advanced(by: milliseconds) }

    @Test("A subscription is asked about with its latest receipt a day before its end, after it, and no more than that")
    func course() async throws {
        workshop.show("Rmlyc3Q=", days: -20...10, latest: "TGF0ZXI=")
        workshop.show("TGF0ZXI=", days: -20...10, latest: "TGF0ZXN0")
        try await workshop.serving { (intake, poller) async throws in
            _ = try await intake.verify("Rmlyc3Q=", customerID: "anna", from: .service, workshop.app)
            await poller.pollOnce()
            #expect(workshop.asked == ["Rmlyc3Q="])
            #expect(try await workshop.kept() == ["1000": .init(reason: nil, failures: 0, due: at(9 * Self.day))])
            workshop.clock.pass(9 * Self.day)
            await poller.pollOnce()
            await poller.pollOnce()
            #expect(workshop.asked == ["Rmlyc3Q=", "TGF0ZXI="])
            #expect(try await workshop.kept()["1000"]?.due == at(10 * Self.day + Self.minute))
            workshop.show("TGF0ZXN0", days: -20...10, 10...40)
            workshop.clock.pass(Self.day + Self.minute)
            #expect(try await workshop.status().state == .expired)
            await poller.pollOnce()
            #expect(workshop.asked == ["Rmlyc3Q=", "TGF0ZXI=", "TGF0ZXN0"])
            #expect(try await workshop.status().state == .active)
            #expect(try await workshop.kept()["1000"]?.due == at(39 * Self.day))
        }
        #expect(workshop.rounds.ages.map(\.seconds) == [0])
        #expect(workshop.log.failures == [])
        let stored = try await workshop.store.histories.find(HistoryQuery(partition: "com.example.app", customerID: "anna"))
        #expect(stored.history.chains.map(\.originalID) == ["1000"])
    }

    @Test("Through billing retry it is asked ever more rarely for 60 days, and never again after that")
    func billingRetry() async throws {
        workshop.show("UmVjZWlwdA==", days: -29...1)
        try await workshop.serving { (intake, poller) async throws in
            _ = try await intake.verify("UmVjZWlwdA==", customerID: nil, from: .service, workshop.app)
            workshop.show(
                "UmVjZWlwdA==", days: -29...1,
                fields: """
                    ,"pending_renewal_info":[{"original_transaction_id":"1000","auto_renew_status":"1",\
                    "expiration_intent":"2","is_in_billing_retry_period":"1"}]
                    """)
            var counts: [Int] = []
            for _ in 0..<(64 * 24) {
                workshop.clock.pass(Self.hour)
                await poller.pollOnce()
                counts.append(workshop.asked.count)
            }
            // One before the end, an hour's worth of hours after it, four a day, one a day.
            let evenings: [Int] = [1] + (0..<64).map { counts[$0 * 24 + 23] }
            let daily: [Int] = (0..<64).map { evenings[$0 + 1] - evenings[$0] }
            #expect(daily[1] >= 23 && daily[1] <= 25)
            #expect(daily[3..<16].allSatisfy { $0 == 4 || $0 == 5 })
            #expect(daily[20..<60].allSatisfy { $0 == 1 })
            #expect(daily[62...].allSatisfy { $0 == 0 })
            #expect(try await workshop.kept()["1000"] == .init(reason: nil, failures: 0, due: nil))
            #expect(try await workshop.status().state == .expired)
        }
    }

    @Test(
        "What may pass is asked again, later each time, and the reason is kept",
        arguments: [
            (.json(#"{"status":21002}"#), "receipt-status-21002", false),
            (.json(#"{"status":21005}"#), "receipt-status-21005", true),
            (.json(#"{"status":21009}"#), "receipt-status-21009", false),
            (.json(#"{"status":21150,"is_retryable":"1"}"#), "receipt-status-21150", false),
            (.json("[]"), "app-store-malformed-answer", false), (AppStoreStub.Reply(status: 500), "app-store-unavailable", true),
            (AppStoreStub.Reply(status: 403), "app-store-unauthorized", true),
        ] as [(AppStoreStub.Reply, String, Bool)])
    func failure(reply: AppStoreStub.Reply, reason: String, isReported: Bool) async throws {
        workshop.show("UmVjZWlwdA==", days: -29...1)
        try await workshop.serving { (intake, poller) async throws in
            _ = try await intake.verify("UmVjZWlwdA==", customerID: nil, from: .service, workshop.app)
            workshop.answer("UmVjZWlwdA==", reply)
            workshop.clock.pass(Self.day + 2 * Self.minute)
            for failures in 1...4 {
                await poller.pollOnce()
                let kept = try #require(try await workshop.kept()["1000"])
                #expect((kept.reason, kept.failures) == (reason, failures))
                let pause = try #require(kept.due).milliseconds(since: workshop.clock.now)
                let middle = Self.minute << Int64(failures - 1)
                #expect(pause >= middle * 3 / 4 && pause <= middle * 5 / 4)
                #expect(workshop.asked.count == 1 + failures)
                workshop.clock.pass(pause)
            }
            #expect(workshop.rounds.ages[0].seconds > 0 || !isReported)
            workshop.show("UmVjZWlwdA==", days: -29...1, 1...31)
            await poller.pollOnce()
            #expect(try await workshop.status().state == .active)
            #expect(try await workshop.kept()["1000"]?.reason == nil)
        }
        #expect(workshop.log.failures.isEmpty == !isReported)
    }

    @Test("A malformed receipt is given up some time")
    func malformed() async throws {
        workshop.show("UmVjZWlwdA==", days: -29...1)
        try await workshop.serving { (intake, poller) async throws in
            _ = try await intake.verify("UmVjZWlwdA==", customerID: nil, from: .service, workshop.app)
            workshop.answer("UmVjZWlwdA==", .json(#"{"status":21002}"#))
            for _ in 0..<30 {
                workshop.clock.pass(Self.day)
                await poller.pollOnce()
            }
            #expect(workshop.asked.count == 1 + 8)
            #expect(try await workshop.kept()["1000"] == .init(reason: "receipt-status-21002", failures: 8, due: nil))
        }
    }

    @Test(
        "What is refused is kept with the reason and not asked again, until another receipt comes",
        arguments: [
            (#"{"status":21003}"#, "receipt-status-21003"), (#"{"status":21010}"#, "receipt-status-21010"),
            (#"{"status":21150,"is_retryable":"0"}"#, "receipt-status-21150"),
            (#"{"status":0,"receipt":{"bundle_id":"com.example.other","in_app":[]}}"#, "bundle-mismatch"),
            (#"{"status":21007}"#, "environment-mismatch"),
        ] as [(String, String)])
    func refused(answer: String, reason: String) async throws {
        workshop.show("UmVjZWlwdA==", days: -29...1)
        try await workshop.serving { (intake, poller) async throws in
            _ = try await intake.verify("UmVjZWlwdA==", customerID: nil, from: .service, workshop.app)
            workshop.answer("UmVjZWlwdA==", .json(answer))
            workshop.clock.pass(2 * Self.day)
            await poller.pollOnce()
            #expect(try await workshop.kept() == ["1000": .init(reason: reason, failures: 1, due: nil)])
            workshop.clock.pass(30 * Self.day)
            await poller.pollOnce()
            #expect(workshop.asked.count == 2)
            workshop.show("QW5vdGhlcg==", days: -29...1, 20...50)
            _ = try await intake.verify("QW5vdGhlcg==", customerID: nil, from: .service, workshop.app)
            #expect(try await workshop.kept() == ["1000": .init(reason: nil, failures: 0, due: at(49 * Self.day))])
        }
        #expect(try await workshop.status("1000").environment == .production)
    }

    @Test("A wrong shared secret is reported once, whatever there is to ask, and stops it; a right one is noticed by itself")
    func secret() async throws {
        try await workshop.serving { (intake, poller) async throws in
            for id in 1001...1020 {
                workshop.show("Receipt+\(id)", "\(id)", days: -29...1)
                _ = try await intake.verify("Receipt+\(id)", customerID: nil, from: .service, workshop.app)
            }
            workshop.password = "another"
            workshop.clock.pass(Self.day + 2 * Self.minute)
            for _ in 0..<60 {
                await poller.pollOnce()
                workshop.clock.pass(10_000)
            }
            #expect(workshop.asked.count == 21)
            #expect(poller.status.refusedSecrets == ["com.example.app"])
            #expect(try await workshop.kept().values.count { $0.reason == "receipt-status-21004" } == 1)
            #expect(workshop.rounds.ages[0].seconds > 0)
            workshop.clock.pass(15 * Self.minute)
            await poller.pollOnce()
            #expect(workshop.asked.count == 22)
            workshop.password = ReceiptWorkshop.secret
            workshop.clock.pass(16 * Self.minute)
            await poller.pollOnce()
            #expect(workshop.asked.count == 42)
            #expect(poller.status.refusedSecrets == [])
        }
        #expect(workshop.log.failures == ["receipt-status-21004"])
        #expect(
            workshop.log.lines.filter { $0.contains("shared secret") } == [
                "error: the shared secret of an app is refused; none of its receipts is asked about",
                "notice: the shared secret of an app is accepted again",
            ])
    }

    @Test("While the App Store is away one receipt a round finds it out")
    func away() async throws {
        try await workshop.serving { (intake, poller) async throws in
            for id in 1001...1010 {
                workshop.show("Receipt+\(id)", "\(id)", days: -29...1)
                _ = try await intake.verify("Receipt+\(id)", customerID: nil, from: .service, workshop.app)
                workshop.answer("Receipt+\(id)", AppStoreStub.Reply(status: 503))
            }
            workshop.clock.pass(2 * Self.day)
            for round in 1...3 {
                await poller.pollOnce()
                #expect(workshop.asked.count == 10 + round)
            }
        }
        #expect(workshop.log.failures == Array(repeating: "app-store-unavailable", count: 3))
        #expect(workshop.log.lines.filter { $0.hasPrefix("warning") } == ["warning: polling with receipts is put off"])
    }

    @Test("A receipt that could not be verified is kept, asked about again, and then its customer's")
    func unverified() async throws {
        workshop.answer("UmVjZWlwdA==", .json(#"{"status":21005}"#))
        try await workshop.serving { (intake, poller) async throws in
            for _ in 0..<2 {
                await #expect(throws: HistoryError.self) {
                    try await intake.verify("UmVjZWlwdA==", customerID: "anna", from: .service, workshop.app)
                }
            }
            let kept = try #require(try await workshop.kept()["unverified"])
            #expect((kept.reason, kept.failures) == ("receipt-status-21005", 1))
            workshop.show("UmVjZWlwdA==", days: -29...10)
            workshop.clock.pass(2 * Self.minute)
            await poller.pollOnce()
            #expect(try await workshop.kept().keys.sorted() == ["1000"])
        }
        let stored = try await workshop.store.histories.find(HistoryQuery(partition: "com.example.app", customerID: "anna"))
        #expect(stored.history.chains.map(\.originalID) == ["1000"])
    }

    @Test(
        "What the App Store refuses at once is kept with the reason for 30 days, and asked about no more",
        arguments: [("21003", "receipt-status-21003"), ("21010", "receipt-status-21010")])
    func refusedAtOnce(status: String, reason: String) async throws {
        workshop.answer("UmVjZWlwdA==", .json(#"{"status":\#(status)}"#))
        try await workshop.serving { (intake, poller) async throws in
            await #expect(throws: HistoryError.self) {
                try await intake.verify("UmVjZWlwdA==", customerID: nil, from: .service, workshop.app)
            }
            #expect(try await workshop.kept() == ["unverified": .init(reason: reason, failures: 1, due: nil)])
            workshop.clock.pass(30 * Self.day)
            await poller.pollOnce()
            #expect(try await workshop.kept().count == 1)
            #expect(workshop.asked.count == 1)
            workshop.clock.pass(Self.hour)
            await poller.pollOnce()
            #expect(try await workshop.kept().isEmpty)
        }
    }

    @Test("A sandbox receipt of a production app is not kept, and nothing is asked with it")
    func sandbox() async throws {
        workshop.answer("U2FuZGJveA==", .json(#"{"status":21007}"#))
        try await workshop.serving { (intake, _) async throws in
            _ = try await intake.verify("U2FuZGJveA==", customerID: "anna", from: .service, workshop.app)
        }
        #expect(try await workshop.kept().isEmpty)
    }

    @Test("An app with the Server API keeps no receipt, verified or not")
    func serverAPI() async throws {
        let workshop = try ReceiptWorkshop(issuerID: "issuer")
        workshop.show("UmVjZWlwdA==", days: -29...1)
        try await workshop.serving { (intake, poller) async throws in
            _ = try await intake.verify("UmVjZWlwdA==", customerID: "anna", from: .service, workshop.app)
            await #expect(throws: HistoryError.self) {
                try await intake.verify("VW5rbm93bg==", customerID: nil, from: .service, workshop.app)
            }
            workshop.clock.pass(2 * Self.day)
            await poller.pollOnce()
            #expect(workshop.asked.count == 2)
        }
        #expect(try await workshop.kept().isEmpty)
    }

    @Test("Once the secret is lost nothing can be read: it is reported, nothing breaks, and a new receipt takes its place")
    func lostSecret() async throws {
        workshop.show("UmVjZWlwdA==", days: -29...1)
        let file = workshop.folder.path("keys/ReceiptSecret_0001.key")
        let secret = try #require(FileManager.default.contents(atPath: file))
        try await workshop.serving { (intake, poller) async throws in
            _ = try await intake.verify("UmVjZWlwdA==", customerID: nil, from: .service, workshop.app)
            try FileManager.default.removeItem(atPath: file)
            workshop.clock.pass(Self.day + Self.minute)
            await poller.pollOnce()
            #expect(FileManager.default.contents(atPath: file) != secret)
            #expect(workshop.asked.count == 1)
            let kept = try await workshop.kept()["1000"]
            #expect(kept == .init(reason: "receipt-unreadable", failures: 0, due: at(2 * Self.day + Self.minute)))
            // The file comes back from a copy beside the new one.
            try FileManager.default.moveItem(atPath: file, toPath: workshop.folder.path("keys/ReceiptSecret_0002.key"))
            _ = FileManager.default.createFile(atPath: file, contents: secret, attributes: [.posixPermissions: 0o600])
            workshop.clock.pass(Self.day + Self.minute)
            await poller.pollOnce()
            #expect(workshop.asked.count == 2)
            #expect(try await workshop.kept()["1000"]?.reason == nil)
            // Sealed anew with the newer one: the older may go.
            try FileManager.default.removeItem(atPath: file)
            workshop.clock.pass(Self.day + Self.minute)
            await poller.pollOnce()
            #expect(workshop.asked.count == 3)
        }
        #expect(workshop.log.failures == ["receipt-unreadable"])
        #expect(workshop.log.lines.contains("error: kept receipts cannot be read"))
    }

    @Test("A lost secret is missed at once, not when the receipts' turn comes, and only as long as it is lost")
    func missedSecret() async throws {
        workshop.show("UmVjZWlwdA==", days: -1...29)
        let file = workshop.folder.path("keys/ReceiptSecret_0001.key")
        let secret = try #require(FileManager.default.contents(atPath: file))
        let reported = "error: the secret of kept receipts is not in the key folder; restore ReceiptSecret_<number>.key"
        try await workshop.serving { (intake, poller) async throws in
            _ = try await intake.verify("UmVjZWlwdA==", customerID: nil, from: .service, workshop.app)
            await poller.pollOnce()
            #expect(poller.status.unreadable == 0)
            try FileManager.default.removeItem(atPath: file)
            for _ in 0..<3 {
                workshop.clock.pass(Self.hour)
                await poller.pollOnce()
                #expect(poller.status.unreadable == 1)
            }
            #expect(workshop.log.lines.count { $0 == reported } == 1)
            #expect(workshop.asked.count == 1)
            // A new receipt takes its place; that is seen within an hour.
            _ = try await intake.verify("UmVjZWlwdA==", customerID: nil, from: .service, workshop.app)
            workshop.clock.pass(Self.hour)
            await poller.pollOnce()
            #expect(poller.status.unreadable == 0)
            // And the other way round.
            _ = FileManager.default.createFile(atPath: file, contents: secret, attributes: [.posixPermissions: 0o600])
            await poller.pollOnce()
            #expect(poller.status.unreadable == 1)
        }
        #expect(workshop.log.lines.contains("notice: every kept receipt can be read again"))
        #expect(workshop.log.failures == [])
    }

    @Test("A receipt that was put into the place of another is not read, nor one that was changed")
    func swapped() async throws {
        workshop.show("QQ==", "1000", days: -29...1)
        workshop.show("Qg==", "2000", days: -29...1)
        try await workshop.serving { (intake, poller) async throws in
            _ = try await intake.verify("QQ==", customerID: nil, from: .service, workshop.app)
            _ = try await intake.verify("Qg==", customerID: nil, from: .service, workshop.app)
            try await workshop.execute(
                "UPDATE receipt SET sealed = (SELECT sealed FROM receipt WHERE name = CAST('2000' AS BLOB))")
            workshop.clock.pass(Self.day + Self.minute)
            await poller.pollOnce()
            #expect(workshop.asked == ["QQ==", "Qg==", "Qg=="])
            #expect(try await workshop.kept()["1000"]?.reason == "receipt-unreadable")
            #expect(try await workshop.kept()["2000"]?.reason == nil)
        }
    }

    @Test("An unverified receipt cannot be given to another customer in the file")
    func otherCustomer() async throws {
        workshop.answer("UmVjZWlwdA==", .json(#"{"status":21005}"#))
        try await workshop.serving { (intake, poller) async throws in
            await #expect(throws: HistoryError.self) {
                try await intake.verify("UmVjZWlwdA==", customerID: "anna", from: .service, workshop.app)
            }
            try await workshop.execute("UPDATE receipt SET customer_id = 'mallory'")
            workshop.show("UmVjZWlwdA==", days: -29...10)
            workshop.clock.pass(Self.day + Self.minute)
            await poller.pollOnce()
            #expect(try await workshop.kept()["unverified"]?.reason == "receipt-unreadable")
        }
    }

    @Test("A subscription that has left its receipt is reported as a reason, and asked about later")
    func notShown() async throws {
        workshop.show("UmVjZWlwdA==", days: -29...1)
        try await workshop.serving { (intake, poller) async throws in
            _ = try await intake.verify("UmVjZWlwdA==", customerID: nil, from: .service, workshop.app)
            workshop.show("UmVjZWlwdA==", "3000", days: -29...1)
            workshop.clock.pass(Self.day + Self.minute)
            await poller.pollOnce()
            #expect(try await workshop.kept()["1000"]?.reason == "receipt-without-subscription")
            #expect(try await workshop.kept()["1000"]?.due != nil)
        }
    }

    @Test("Of two processes on one store one asks about each receipt")
    func twoProcesses() async throws {
        try await workshop.serving { (intake, poller) async throws in
            for id in 1001...1040 {
                workshop.show("Receipt+\(id)", "\(id)", days: -29...1)
                _ = try await intake.verify("Receipt+\(id)", customerID: nil, from: .service, workshop.app)
            }
            workshop.clock.pass(Self.day + Self.minute)
            let other = workshop.poller(intake.verification)
            await withTaskGroup(of: Void.self) { group in
                for each in [poller, other] { group.addTask { await each.pollOnce() } }
            }
            #expect(workshop.asked.count == 80 && Set(workshop.asked).count == 40)
        }
    }

    @Test("What a stop cuts off is as due as before, and what a crash cuts off is due ten minutes later")
    func stop() async throws {
        workshop.show("UmVjZWlwdA==", days: -29...1)
        try await workshop.serving { (intake, poller) async throws in
            _ = try await intake.verify("UmVjZWlwdA==", customerID: nil, from: .service, workshop.app)
            workshop.answer("UmVjZWlwdA==", .silence)
            workshop.clock.pass(Self.day + Self.minute)
            try await ServiceGroup.serving(poller) {
                while workshop.asked.count < 2 { try await Task.sleep(for: .milliseconds(5)) }
                #expect(try await workshop.kept()["1000"]?.due == workshop.clock.now.advanced(by: 10 * Self.minute))
            }
            let kept = try await workshop.kept()
            #expect(kept == ["1000": .init(reason: nil, failures: 0, due: workshop.clock.now)])
        }
        #expect(workshop.log.failures == [])
    }

    @Test(
        "The receipt of a notification V1 is kept, new or old, and nothing of it in the notification; one that is not ours is not",
        arguments: [
            (#""unified_receipt":{"environment":"Production","latest_receipt":"Tm90ZQ==","latest_receipt_info":[ITEM]}"#, true),
            (#""latest_receipt":"Tm90ZQ==","latest_receipt_info":ITEM"#, true),
            (#""latest_expired_receipt":"Tm90ZQ==","latest_expired_receipt_info":ITEM"#, true),
            (#""unified_receipt":{"environment":"Sandbox","latest_receipt":"Tm90ZQ==","latest_receipt_info":[ITEM]}"#, false),
        ])
    func notification(fields: String, isKept: Bool) async throws {
        let (begin, end) = (at(-29 * Self.day).milliseconds, at(Self.day).milliseconds)
        let item = """
            {"transaction_id":"1000","original_transaction_id":"1000","product_id":"pro","purchase_date_ms":"\(begin)",\
            "purchase_date":"\(begin)","expires_date_ms":"\(end)","expires_date":"\(end)"}
            """
        let environment = isKept ? #""environment":"PROD","# : ""
        let text =
            #"{"notification_type":"DID_RENEW","password":"PASSWORD",\#(environment)"bid":"com.example.app",\#(fields)}"#
            .replacingOccurrences(of: "ITEM", with: item)
        let notifications = NotificationIntake(intake: workshop.intake)
        await #expect(throws: HistoryError.self) { try await notifications.take(Array(text.utf8), workshop.app) }
        #expect(try await workshop.kept().isEmpty)
        let genuine = text.replacingOccurrences(of: "PASSWORD", with: ReceiptWorkshop.secret)
        #expect(try await notifications.take(Array(genuine.utf8), workshop.app) == .stored)
        #expect(try await notifications.take(Array(genuine.utf8), workshop.app) == .known)
        let bodies = try await workshop.store.histories.wholeNotifications(
            partition: "com.example.app", originalTransactionID: "1000")
        #expect(bodies.count == 1 && !String(decoding: bodies[0].body, as: UTF8.self).contains("Tm90ZQ=="))
        #expect(try await workshop.kept().isEmpty == !isKept)
        guard isKept else { return }
        workshop.show("Tm90ZQ==", days: -29...1, 1...31)
        try await workshop.serving { (_, poller) async throws in
            workshop.clock.pass(Self.day + Self.minute)
            await poller.pollOnce()
            #expect(workshop.asked == ["Tm90ZQ=="])
            #expect(try await workshop.status().state == .active)
        }
    }

    @Test("A late notification does not bring an old receipt back")
    func lateNotification() async throws {
        workshop.show("TmV3", days: -29...1)
        try await workshop.serving { (intake, poller) async throws in
            _ = try await intake.verify("TmV3", customerID: nil, from: .service, workshop.app)
            let begin = at(-29 * Self.day).milliseconds
            let late = """
                {"notification_type":"INITIAL_BUY","password":"\(ReceiptWorkshop.secret)","environment":"PROD",\
                "bid":"com.example.app","unified_receipt":{"environment":"Production","latest_receipt":"T2xk",\
                "latest_receipt_info":[{"transaction_id":"1000","original_transaction_id":"1000","product_id":"pro",\
                "purchase_date_ms":"\(begin)","expires_date_ms":"\(at(Self.day).milliseconds)"}]}}
                """
            _ = try await NotificationIntake(intake: workshop.intake).take(Array(late.utf8), workshop.app)
            workshop.clock.pass(Self.day + Self.minute)
            await poller.pollOnce()
            #expect(workshop.asked == ["TmV3", "TmV3"])
        }
    }

    @Test("Nothing of a receipt stands in the file of histories in clear")
    func sealed() async throws {
        let receipt = String(repeating: "QUJDREVGR0g", count: 40)
        workshop.show(receipt, days: -29...1, latest: receipt)
        try await workshop.serving { (intake, _) async throws in
            _ = try await intake.verify(receipt, customerID: "anna", from: .service, workshop.app)
        }
        try workshop.store.file.close()
        let bytes = try #require(FileManager.default.contents(atPath: workshop.folder.path("histories.sqlite")))
        #expect(bytes.range(of: Data("QUJDREVGR0g".utf8)) == nil && bytes.range(of: Data("ABCDEFGH".utf8)) == nil)
        #expect(!workshop.log.lines.joined().contains("QUJD"))
    }
}
