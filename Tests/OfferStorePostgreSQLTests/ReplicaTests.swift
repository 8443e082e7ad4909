import EligibilityRules
import OfferStore
import OfferStoreSQL
import OfferStoreTesting
import Testing

@testable import OfferStorePostgreSQL

@Suite("Several processes on one PostgreSQL", .enabled(if: TestDatabase.isThere))
struct ReplicaTests {
    private static let partition: AppPartition = "com.example.app"

    /// Stores that know nothing of each other, as processes do.
    private func stores(_ count: Int, on address: String) async throws -> [PostgreSQLStore] {
        try await withThrowingTaskGroup(of: PostgreSQLStore.self) { group in
            for _ in 0..<count { group.addTask { try PostgreSQLStore(address, readers: 1) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    @Test("All that start at once find one schema")
    func start() async throws {
        let stores = try await stores(6, on: TestDatabase.newSchema())
        for store in stores {
            try await store.look()
            let version = try await store.read("look") { try $0.run("SELECT version FROM schema_version").map { $0.number(0) } }
            #expect(version.count == 1)
            #expect(try await store.read("look") { try $0.run("SELECT key FROM customer_hash").count } == 1)
        }
    }

    @Test("A schema of an earlier release is brought up to date, by one of those that start at once")
    func earlier() async throws {
        let address = try TestDatabase.newSchema()
        let earlier = try PostgreSQLStore(address, readers: 1, audit: .testing)
        _ = try await PostgreSQLLedger(earlier).record(LedgerSubmission(.sample()))
        let made = try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<3 { group.addTask { try PostgreSQLStore.migrate(address, TestDatabase.laterRelease()) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(made == [false, false, false])
        let rows = try await earlier.read("look") { try $0.run("SELECT made_up FROM nonce_series").map { $0.isNull(0) } }
        #expect(rows == [true])
        #expect(throws: StoreError(.newerSchema, "")) { try PostgreSQLStore(address, readers: 1) }
    }

    @Test("A schema of a newer release, and one that does not exist, are refused")
    func refused() async throws {
        let address = try TestDatabase.newSchema()
        let store = try PostgreSQLStore(address, readers: 1)
        try await store.write("pretend") { _ = try $0.run("UPDATE schema_version SET version = 1000") }
        #expect(throws: StoreError(.newerSchema, "")) { try PostgreSQLStore(address, readers: 1) }
        let none = TestDatabase.address! + " options='-c search_path=no_such_schema'"
        #expect(throws: StoreError(.unsuitable, "")) { try PostgreSQLStore(none, readers: 1) }
    }

    @Test("News of the same subscriptions from everywhere at once lose nothing")
    func merging() async throws {
        let histories = try await stores(3, on: TestDatabase.newSchema()).map(PostgreSQLHistoryStore.init)
        let periods = 20
        let outcomes = try await withThrowingTaskGroup(of: [HistoryOutcome].self) { group in
            for period in 0..<periods {
                for (number, store) in histories.enumerated() {
                    let changes = ["1", "2", "3"].map { id in
                        HistoryChange.sample([.sample(id, periods: period..<period + 1)], of: "ada", at: .hours(Int64(number)))
                    }
                    group.addTask { try await store.applyAll(changes) }
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        // Each period is new to the first that brings it.
        #expect(outcomes.count { $0 == .merged([.changed]) } == 3 * periods)
        let expected = PurchaseHistory(["1", "2", "3"].map { .sample($0, periods: 0..<periods) })
        for store in histories {
            #expect(try await store.wholeHistory(of: .sample(customer: "ada")).history == expected)
            #expect(try await store.ids(.sample(transaction: "119")) == ["1", "2", "3"])
        }
    }

    @Test("Of rivals for one subscription one gets it, and a notification counts once")
    func rivals() async throws {
        let histories = try await stores(3, on: TestDatabase.newSchema()).map(PostgreSQLHistoryStore.init)
        for round in 0..<10 {
            let record = NotificationRecord(
                key: [UInt8(round)], version: 2, type: "DID_RENEW", subtype: nil, originalTransactionID: "\(round)", body: [1],
                receivedAt: .testNow)
            let outcomes = try await withThrowingTaskGroup(of: [HistoryOutcome].self) { group in
                for (number, store) in histories.enumerated() {
                    group.addTask {
                        try await store.applyAll([
                            .sample([.sample("\(round)")], of: "rival \(number)"),
                            .sample([.sample("\(round)", periods: 1..<2)], notification: record),
                        ])
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(outcomes.count { $0[0] == .merged([.changed]) } == 1)
            #expect(outcomes.count { $0[0] == .merged([.boundToAnotherCustomer]) } == 2)
            #expect(outcomes.count { $0[1] == .knownNotification } == 2)
        }
    }

    @Test("A session that is cut off in the middle fails its work, one that was idle fails nothing; both are made anew")
    func cut() async throws {
        let address = try TestDatabase.newSchema()
        let store = try PostgreSQLStore(address + " application_name=cut", readers: 1)
        let other = try PostgreSQLStore(address, readers: 1)
        let histories = PostgreSQLHistoryStore(store)
        for round in 0..<3 {
            // After the new session is cut off, too, it is given up.
            await #expect(throws: StoreError(.unavailable, "")) {
                try await store.write("cut itself off") { _ = try $0.run("SELECT pg_terminate_backend(pg_backend_pid())") }
            }
            #expect(try await histories.apply(.sample([.sample("\(round)")], of: "ada")) == .merged([.changed]))
            _ = try await histories.find(.sample(customer: "ada"))
            let count = try await other.write("cut sessions off") { transaction in
                try transaction.run(
                    "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE application_name = 'cut' AND datname = current_database()"
                ).count
            }
            #expect(count >= 2)
            #expect(try await histories.ids(.sample(customer: "ada")).count == round + 1)
            #expect(try await histories.apply(.sample([.sample("\(round)")], of: "ada")) == .merged([.unchanged]))
        }
        store.close()
        await #expect(throws: StoreError(.unavailable, "")) { try await store.look() }
    }

    @Test("A batch of changes costs a handful of round trips, however many there are")
    func roundTrips() async throws {
        let address = try TestDatabase.newSchema()
        _ = try PostgreSQLStore(address, readers: 1)
        let session = try Session(address, patience: .seconds(60))
        func roundTrips(_ changes: [HistoryChange]) throws -> Int {
            let before = session.roundTrips
            let transaction = Transaction(session, .serializable)
            var merge = HistoryMerge(PostgreSQLHistoryRows(transaction, SipHash(key: Array(0..<16))))
            _ = try merge.apply([changes])
            try merge.finish()
            try transaction.commit()
            return session.roundTrips - before
        }
        for proof in [BindingProof.vouched, .vouched, .claimed] {
            let changes = (0..<512).map { number in
                let record = NotificationRecord(
                    key: withUnsafeBytes(of: number) { Array($0) } + [UInt8(proof.rawValue)], version: 2, type: "TEST",
                    subtype: nil, originalTransactionID: "\(number)", body: [], receivedAt: .testNow)
                return HistoryChange.sample(
                    [.sample("\(number)", periods: 0..<12)], of: "\(proof) \(number)", by: proof, notification: record)
            }
            // Two of them for the app's number, which a process asks for once.
            #expect(try roundTrips(changes) <= 6 + 2)
        }
    }
}
