import EligibilityRules
import OfferStore
import OfferStoreSQL
import OfferStoreTesting
import Testing

@testable import OfferStorePostgreSQL

@Suite("Exposures of several processes on one PostgreSQL", .enabled(if: TestDatabase.isThere), .timeLimit(.minutes(30)))
struct ExposureReplicaTests {
    private static let partition: AppPartition = "com.example.app"

    private func stores(_ count: Int) throws -> [PostgreSQLStore] {
        let address = try TestDatabase.newSchema()
        return try (0..<count).map { _ in try PostgreSQLStore(address, readers: 1) }
    }

    @Test("An arm that all meet at once has one number")
    func arms() async throws {
        let stores = try stores(3)
        for round in 0..<10 {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for store in stores {
                    group.addTask {
                        let exposures: [Exposure] = [
                            .sample("ann", variant: nil, of: "b", revision: round + 1), .sample("bob", revision: round + 1),
                            .sample("cal", revision: round + 1, isRehearsal: true),
                        ]
                        try await store.write("expose", .latest) { transaction in
                            try ExposureRows.enqueue(exposures, arms: ExposureNumbers(), transaction)
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
        let counts = try await stores[0].read("count") { transaction in
            try transaction.run([
                SQLStatement("SELECT count(*) FROM exposure_arm"),
                SQLStatement("SELECT count(*) FROM exposure JOIN exposure_arm ON number = arm"),
                SQLStatement("SELECT count(*) FROM rehearsal"),
            ]).map { $0.first { $0.number(0) } }
        }
        #expect(counts == [20, 60, 30])
    }

    @Test("Arms are asked for once, and remembered only when they are durable")
    func remembered() throws {
        let address = try TestDatabase.newSchema()
        _ = try PostgreSQLStore(address, readers: 1)
        let session = try Session(address, patience: .seconds(60))
        let numbers = ExposureNumbers()
        func roundTrips(end: (Transaction) throws -> Void) throws -> Int {
            let before = session.roundTrips
            let transaction = Transaction(session, .latest)
            try ExposureRows.enqueue([.sample(), .sample(variant: nil), .sample()], arms: numbers, transaction)
            try end(transaction)
            return session.roundTrips - before
        }
        #expect(try roundTrips { _ = try $0.run("ROLLBACK") } == 2)
        #expect(try roundTrips { try $0.commit() } == 2)
        #expect(try roundTrips { try $0.commit() } == 1)
    }

    @Test("Of rivals for a unit one holds it, and the others see which")
    func holds() async throws {
        let stores = try stores(3)
        for round in 0..<10 {
            let keys = ["g", "h"].flatMap { group in
                (0..<5).map { unit in
                    HoldKey(partition: Self.partition, group: group, unitKind: .customer, unit: "\(round) \(unit)")
                }
            }
            let seen = try await withThrowingTaskGroup(of: [HoldKey: String].self) { group in
                for (number, store) in stores.enumerated() {
                    group.addTask {
                        try await store.write("hold", .latest) { transaction in
                            let look = try transaction.run([ExposureRows.lookStatement(keys.shuffled())]).first!
                            let known = ExposureRows.holders(look)
                            let own = keys.filter { known[$0] == nil }.map { ($0, "\(number)") }
                            let new = Dictionary(uniqueKeysWithValues: own)
                            ExposureRows.enqueue(holders: new, known: known, transaction)
                            return known.merging(new) { first, _ in first }
                        }
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(seen.allSatisfy { $0 == seen[0] } && seen[0].count == keys.count)
        }
        // Who makes room does so for one.
        let key = HoldKey(partition: Self.partition, group: "g", unitKind: .customer, unit: "0 0")
        let outcomes = try await withThrowingTaskGroup(of: Bool.self) { group in
            for (number, store) in stores.enumerated() {
                group.addTask {
                    try await store.write("hold", .latest) { transaction in
                        let known = ExposureRows.holders(try transaction.run([ExposureRows.lookStatement([key, key])]).first!)
                        guard known[key]?.hasPrefix("new") == false else { return false }
                        ExposureRows.enqueue(holders: [key: "new \(number)"], known: known, transaction)
                        return true
                    }
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.count { $0 } == 1)
    }

    @Test("An erasure waits for rows with lower numbers that are being written, and takes what comes after its look")
    func erasure() async throws {
        let address = try TestDatabase.newSchema()
        let store = try PostgreSQLStore(address, readers: 2)
        let early = Transaction(try Session(address, patience: .seconds(60)), .latest)
        try ExposureRows.enqueue([.sample("ann"), .sample("bob")], arms: ExposureNumbers(), early)
        // A busy machine keeps it waiting for longer than the server lets a writer be idle.
        _ = try early.run("SET LOCAL idle_in_transaction_session_timeout = 0")
        func expose(_ exposures: Exposure...) async throws {
            try await store.write("expose", .latest) {
                try ExposureRows.enqueue(exposures, arms: ExposureNumbers(), $0)
            }
        }
        try await expose(.sample("ann", of: "other"), .sample("ann", of: "third", "com.example.other"))
        let erasure = ExposureErasure(["ann"], bundleID: Self.partition.bundleID)
        async let look = erasure.look(store)
        // Until it waits: it asks every 20 ms.
        let waits = "SELECT 1 FROM pg_stat_activity WHERE query LIKE 'SELECT 1 FROM pg_locks%' AND pid <> pg_backend_pid()"
        while try await store.read("look", { try $0.run(waits).count }) == 0 {}
        try early.commit()
        let found = try await look
        #expect(found.rows.count == 2 && found.end == 4)
        try await expose(.sample("ann", of: "other"), .sample("bob", of: "other"))
        try await store.write("erase") { try erasure.replace(found, $0) }
        let exposures = SQLExposureStore(store)
        func units(_ campaign: String, _ partition: AppPartition = Self.partition) async throws -> [String] {
            try await exposures.exposures(of: campaign, partition: partition, after: 0, limit: 9).map(\.exposure.unit)
        }
        let (first, others) = (try await units("spring-winback"), try await units("other"))
        #expect(first[0].hasPrefix("erased-") && first[1] == "bob")
        #expect(others == [first[0], first[0], "bob"])
        #expect(try await units("third", "com.example.other") == ["ann"])
    }
}
