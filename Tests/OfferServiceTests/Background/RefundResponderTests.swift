import AppStore
import AppStoreTesting
import EligibilityRules
import OfferStore
import OfferStoreTesting
import Synchronization
import Testing
import WireText

@testable import OfferService

@Suite("Refund responder", .timeLimit(.minutes(30)))
struct RefundResponderTests {
    private static let hour: Int64 = 3_600_000

    /// What was settled, a word each.
    private final class RecordingObserver: RefundObserver {
        private let states = Mutex<[RefundState]>([])

        var settled: [RefundState] { states.withLock { $0 } }

        func didSettle(_ state: RefundState, partition _: AppPartition) { states.withLock { $0.append(state) } }
    }

    /// An app that answers, its stores, and two processes' worth of parts.
    private struct Office {
        let workshop: HistoryWorkshop
        let log: AuditLog
        let desk: RefundDesk
        let observer = RecordingObserver()

        init(_ mode: RefundTerms.Mode = .send, _ policies: [RefundPolicy] = []) throws {
            workshop = try HistoryWorkshop(refunds: RefundTerms(mode: mode, policies: policies))
            log = AuditLog(
                store: workshop.store.audit, keys: AuditKeyFolder(directory: "/nowhere"),
                system: workshop.clock.environment)
            desk = RefundDesk(store: workshop.store.purchases, audit: log, system: workshop.clock.environment)
        }

        func responder(_ production: AppStoreStub, _ sandbox: AppStoreStub, isClockTrusted: Bool = true) -> RefundResponder {
            let endpoints = AppStoreEndpoints.Pair(production: production.baseURL, sandbox: sandbox.baseURL)
            return RefundResponder(
                apps: workshop.apps, desk: desk, serverAPIs: ["com.example.app": workshop.serverAPI(endpoints, .toStub())],
                audit: log, observer: observer, now: { [clock = workshop.clock] in isClockTrusted ? clock.now : nil },
                environment: RoundEnvironment(
                    system: workshop.clock.environment, rounds: RoundTimes([], system: workshop.clock.environment),
                    failures: workshop.failures, logger: workshop.log.logger))
        }

        /// Takes in the notification of a customer's request. Returns false if it was known.
        @discardableResult
        func ask(_ id: String = "1000", uuid: String = "uuid", fields: [String: String] = [:]) async throws -> Bool {
            let transaction = try workshop.transaction(id, fields)
            let payload = """
                {"notificationType":"CONSUMPTION_REQUEST","notificationUUID":"\(uuid)","version":"2.0",\
                "signedDate":\(workshop.clock.now.milliseconds),"data":{"appAppleId":42,"bundleId":"com.example.app",\
                "environment":"Production","consumptionRequestReason":"OTHER","signedTransactionInfo":"\(transaction)"}}
                """
            let body = Array(#"{"signedPayload":"\#(try workshop.sign(payload))"}"#.utf8)
            return try await workshop.notifications.take(body, workshop.app) == .stored
        }

        /// Binds the purchase to a customer.
        func own(_ id: String = "1000", _ customer: String = "anna") async throws {
            _ = try await workshop.store.histories.bind(
                originalTransactionID: id, to: CustomerClaim(customer, .vouched), partition: workshop.app.partition,
                now: workshop.clock.now)
        }

        func consent(_ isGiven: Bool = true, _ customer: String = "anna") async throws {
            _ = try await desk.state(isGiven, of: customer, workshop.app, by: .service)
        }

        func progress(_ id: String = "1000") async throws -> RefundProgress? {
            try await desk.requests(workshop.app, transactionID: id, limit: 10).first?.progress
        }

        /// `ACTION after reason` of the events about refunds, the latest last.
        func events() async throws -> [String] {
            let page = try await log.page(AuditQuery(), limit: 100)
            return page.lines.filter { $0.action.hasPrefix("refund") }.reversed().map {
                [$0.action, $0.subject ?? "-", $0.after ?? "-", $0.reason ?? "-", $0.customerID ?? "-", $0.transactionID ?? "-"]
                    .joined(separator: " ")
            }
        }
    }

    private static let plain = #"{"customerConsented":true,"sampleContentProvided":false,"deliveryStatus":"DELIVERED"}"#

    @Test("A request is answered once, however often its notification comes, and recorded")
    func once() async throws {
        let office = try Office(
            .send, [RefundPolicy(name: "rest", answer: RefundAnswer(preference: .decline, consumptionPercentage: 50_000))])
        try await office.own()
        try await office.consent()
        try await AppStoreStub.serve([.init(status: 202)]) { production, sandbox in
            let responder = office.responder(production, sandbox)
            let taken = [try await office.ask(), try await office.ask()]
            #expect(taken == [true, false])
            for _ in 0..<3 { await responder.answerOnce() }
            let body =
                #"{"customerConsented":true,"sampleContentProvided":false,"deliveryStatus":"DELIVERED","#
                + #""refundPreference":"DECLINE"}"#
            #expect(
                production.requests.map { "\($0.method) \($0.uri) \($0.body)" }
                    == ["PUT /inApps/v2/transactions/consumption/1000 \(body)"])
            #expect(sandbox.requests.isEmpty)
            #expect(
                try await office.progress()
                    == RefundProgress(
                        state: .answered, policy: "rest", answer: body, settledAt: office.workshop.clock.now))
            #expect(try await office.events() == ["refund.answer rest \(body) - anna 1000"])
            #expect(office.observer.settled == [.answered])
            #expect(office.workshop.log.lines == [])
        }
    }

    @Test("A request is found by any id of the purchase")
    func copies() async throws {
        let office = try Office()
        try await office.ask("1000")
        try await office.ask("2000", uuid: "other", fields: ["originalTransactionId": #""1000""#])
        for (id, found) in [("1000", ["1000", "2000"]), ("2000", ["1000", "2000"]), ("3000", [])] {
            let requests = try await office.desk.requests(office.workshop.app, transactionID: id, limit: 10)
            #expect(requests.map(\.request.transactionID).sorted() == found)
            let judgement = try await office.desk.judge(id, requestedAt: office.workshop.start, office.workshop.app)
            #expect(judgement.purchase?.productID == (found.isEmpty ? nil : "pro"))
        }
    }

    @Test("Nothing leaves without consent, of a purchase of others, or of Advanced Commerce; the mode decides the rest")
    func table() async throws {
        // Columns: what was stated last, fields of the purchase, and what each mode comes to.
        let rows: [(Bool?, [String: String], send: String, dryRun: String)] = [
            (true, [:], "answered", "dry-run"),
            (nil, [:], "unanswered no-consent", "unanswered no-consent"),
            (false, [:], "unanswered consent-withdrawn", "unanswered consent-withdrawn"),
            (true, ["inAppOwnershipType": #""FAMILY_SHARED""#], "unanswered not-own", "unanswered not-own"),
            (true, ["inAppOwnershipType": #""ASSIGNED""#], "unanswered not-own", "unanswered not-own"),
            (true, ["advancedCommerceInfo": "{}"], "unanswered advanced-commerce", "unanswered advanced-commerce"),
            (nil, ["advancedCommerceInfo": "{}"], "unanswered advanced-commerce", "unanswered advanced-commerce"),
            (true, ["type": #""Consumable""#], "answered", "dry-run"),
        ]
        for (consent, fields, send, dryRun) in rows {
            for (mode, expected) in [(.send, send), (.dryRun, dryRun), (.off, nil)] as [(RefundTerms.Mode, String?)] {
                let office = try Office(mode)
                try await office.own()
                if consent == false { try await office.consent() }
                if let consent { try await office.consent(consent) }
                try await AppStoreStub.serve([.init(status: 202)]) { production, sandbox in
                    try await office.ask(fields: fields)
                    await office.responder(production, sandbox).answerOnce()
                    let progress = try await office.progress()
                    let found = progress.map { [$0.state.rawValue, $0.detail].compactMap(\.self).joined(separator: " ") }
                    #expect(found == expected, "\(mode), consent \(consent as Any), \(fields)")
                    #expect(production.requests.count == (expected == "answered" ? 1 : 0))
                    #expect((progress?.answer != nil) == (expected == "answered" || expected == "dry-run"))
                    #expect(try await office.events().count == (mode == .off ? 0 : 1))
                }
            }
        }
    }

    @Test("Consent is found by any name of the customer, and by the account token of a purchase that is bound to none")
    func names() async throws {
        let token = "7e3fb20b-4cdb-47cc-936d-99d65f608138"
        let office = try Office(.dryRun)
        for (id, stated) in [("1", "anna"), ("2", "anon"), ("3", token.uppercased()), ("4", "other")] {
            try await office.ask(id, uuid: id, fields: id == "3" ? ["appAccountToken": "\"\(token)\""] : [:])
            try await office.consent(true, stated)
        }
        try await office.own("1", "anna")
        try await office.own("2", "berta")
        _ = try await office.workshop.store.histories.join(
            alias: "anon", into: "berta", partition: office.workshop.app.partition, now: office.workshop.clock.now)
        try await AppStoreStub.serve([.init(status: 202)]) { production, sandbox in
            await office.responder(production, sandbox).answerOnce()
        }
        for (id, state) in [("1", RefundState.dryRun), ("2", .dryRun), ("3", .dryRun), ("4", .unanswered)] {
            #expect(try await office.progress(id)?.state == state, "\(id)")
        }
    }

    @Test("An App Store that fails or limits is asked again, later each time, until it answers")
    func again() async throws {
        let office = try Office()
        try await office.own()
        try await office.consent()
        let clock = office.workshop.clock
        let limited = clock.now.advanced(by: 31_000 + 300_000).milliseconds
        let replies: [AppStoreStub.Reply] = [
            .error(500, 5_000_000), .init(status: 429, headers: ["Retry-After": "\(limited)"]), .init(status: 401),
            .init(status: 202),
        ]
        try await AppStoreStub.serve(replies) { production, sandbox in
            let responder = office.responder(production, sandbox)
            try await office.ask()
            var waits: [Int64] = []
            for count in 1...4 {
                await responder.answerOnce()
                #expect(production.requests.count == count)
                guard let due = try await office.progress()?.dueAt else { break }
                waits.append(due.milliseconds(since: clock.now))
                clock.pass(waits.last! - 1)
                await responder.answerOnce()
                #expect(production.requests.count == count)
                clock.pass(count == 1 ? 1001 : 1)
            }
            #expect(waits == [30_000, 300_000, 120_000])
            #expect(try await office.progress()?.state == .answered)
            #expect(try await office.progress()?.attempts == 3)
            #expect(try await office.events() == ["refund.answer - \(Self.plain) - anna 1000"])
        }
    }

    @Test(
        "A refusal ends it",
        arguments: [
            (400, 4_000_200, "app-store-rejected 4000200"), (404, 4_040_010, "app-store-not-found 4040010"),
        ] as [(Int, Int64, String)])
    func refused(status: Int, code: Int64, detail: String) async throws {
        let office = try Office()
        try await office.own()
        try await office.consent()
        try await AppStoreStub.serve([.error(status, code)]) { production, sandbox in
            let responder = office.responder(production, sandbox)
            try await office.ask()
            await responder.answerOnce()
            office.workshop.clock.pass(Self.hour)
            await responder.answerOnce()
            #expect(production.requests.count == 1)
            let progress = try #require(try await office.progress())
            #expect(progress.state == .refused && progress.detail == detail && progress.answer == Self.plain)
            #expect(try await office.events() == ["refund.leave - \(Self.plain) \(detail) anna 1000"])
        }
    }

    @Test("Without a code of Apple's nothing is final, and the last attempt comes a minute before the end")
    func proxy() async throws {
        let office = try Office()
        try await office.own()
        try await office.consent()
        try await AppStoreStub.serve([.init(status: 404), .init(status: 407), .init(status: 202)]) { production, sandbox in
            let responder = office.responder(production, sandbox)
            try await office.ask()
            await responder.answerOnce()
            office.workshop.clock.pass(12 * Self.hour - 70_000)
            await responder.answerOnce()
            #expect(try await office.progress()?.dueAt == office.workshop.clock.now.advanced(by: 10_000))
            office.workshop.clock.pass(10_000)
            await responder.answerOnce()
            #expect(try await office.progress()?.state == .answered)
        }
    }

    @Test("While the clock is not trusted nothing is answered, and nothing expires")
    func wrongClock() async throws {
        let office = try Office()
        try await AppStoreStub.serve([.init(status: 202)]) { production, sandbox in
            try await office.ask()
            office.workshop.clock.pass(13 * Self.hour)
            await office.responder(production, sandbox, isClockTrusted: false).answerOnce()
            #expect(try await office.progress()?.state == .waiting)
        }
    }

    @Test("After twelve hours nothing is sent, and the reason is kept")
    func late() async throws {
        let office = try Office()
        try await office.own()
        try await office.consent()
        try await AppStoreStub.serve([.error(503, 0)]) { production, sandbox in
            let responder = office.responder(production, sandbox)
            try await office.ask()
            await responder.answerOnce()
            office.workshop.clock.pass(12 * Self.hour - 1)
            await responder.answerOnce()
            #expect(production.requests.count == 2)
            #expect(try await office.progress()?.dueAt == office.workshop.clock.now.advanced(by: 1))
            office.workshop.clock.pass(1)
            await responder.answerOnce()
            // One whose notification comes after the time is not even judged.
            try await office.ask("2000", uuid: "late")
            office.workshop.clock.pass(12 * Self.hour)
            await responder.answerOnce()
            #expect(production.requests.count == 2)
            for (id, detail) in [("1000", "app-store-unavailable"), ("2000", "late")] {
                let progress = try #require(try await office.progress(id))
                #expect(progress.state == .expired && progress.detail == detail && progress.dueAt == nil, "\(id)")
            }
        }
    }

    @Test("Of several processes that share a store one answers each request")
    func shared() async throws {
        let office = try Office()
        for number in 0..<40 {
            try await office.ask("\(number)", uuid: "\(number)")
            try await office.own("\(number)")
        }
        try await office.consent()
        try await AppStoreStub.serve([.init(status: 202)]) { production, sandbox in
            let responders = (0..<4).map { _ in office.responder(production, sandbox) }
            await withTaskGroup(of: Void.self) { group in
                for responder in responders { group.addTask { await responder.answerOnce() } }
            }
            #expect(Set(production.requests.map(\.uri)).count == 40 && production.requests.count == 40)
            #expect(office.observer.settled == Array(repeating: .answered, count: 40))
        }
    }
}
