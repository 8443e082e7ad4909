import EligibilityRules
import Foundation
import Logging
import OfferSigning
import OfferStore
import OfferStoreTesting
import Synchronization
import Testing

import enum OfferSigningTesting.OpenSSLCommand

@testable import OfferService

@Suite("Audit log")
struct AuditLogTests {
    private let folder: TemporaryFolder
    private let store = TemporaryStore()
    private let keys: AuditKeyFolder
    private let log: AuditLog

    init() throws {
        folder = try TemporaryFolder()
        keys = AuditKeyFolder(directory: folder.url.path)
        let clock = Clock()
        log = AuditLog(store: store.audit, keys: keys, system: clock.system)
    }

    private final class Clock: Sendable {
        private let time = Mutex<Int64>(1000)

        var system: SystemEnvironment {
            SystemEnvironment(
                now: {
                    Instant(
                        milliseconds: self.time.withLock {
                            $0 += 1; return $0
                        })
                },
                randomBytes: { count throws(SigningError) in try Crypto.randomBytes(count) })
        }
    }

    private func sealer(seals: @escaping @Sendable (String) -> Void = { _ in }) -> AuditSealer {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        return AuditSealer(
            store: store.audit, keys: keys, interval: .seconds(1), system: .live, logger: logger,
            failures: FailureLog(logger: logger) { _ in }, onSeal: seals)
    }

    @Test("A verification in steps goes on while rows are added, and where retention has taken those that it was at")
    func steps() async throws {
        func sign(_ count: Int) async throws {
            for _ in 0..<count { _ = try await store.ledger.record(LedgerSubmission(.sample(nonces: [UUID()], at: 1000))) }
        }
        try await sign(100)
        var walk = store.audit.walk(.openSSL([]))
        // It finds where the table begins, then reads rows.
        for _ in 0..<3 { walk = try await store.audit.step(walk, limit: 10) }
        try await store.ledger.served(1000, at: Instant(milliseconds: 2000))
        #expect(try await store.ledger.prune(servedSince: 0, limit: 50) == 50)
        try await sign(5)
        var steps = 0
        while !walk.isOver {
            walk = try await store.audit.step(walk, limit: 10)
            steps += 1
        }
        #expect(walk.fault == nil)
        // 55 rows, ten at a time, and the beginnings of three tables and ends of two.
        #expect(steps == 6 + 3 + 2)
    }

    @Test("Pages follow each other without a gap or a repetition, over all tables")
    func pages() async throws {
        for number in 0..<7 {
            try await log.record(.signIn, by: Origin(actor: "ann", requestID: "r\(number)", address: "192.0.2.1"))
            _ = try await store.ledger.record(
                LedgerSubmission(.sample(nonces: [UUID()], at: 1003 + Int64(number % 3))))
        }
        var (lines, cursor): ([AuditLine], AuditCursor?) = ([], nil)
        repeat {
            let page = try await log.page(AuditQuery(.everything), limit: 3, after: cursor)
            lines += page.lines
            cursor = page.next.flatMap { AuditCursor($0.text) }
        } while cursor != nil
        #expect(lines.count == 14)
        #expect(Set(lines.map { "\($0.table) \($0.row)" }).count == 14)
        let changes = try await log.page(AuditQuery(), limit: 99)
        #expect(changes.lines.map(\.requestID) == (0..<7).reversed().map { "r\($0)" })
        #expect(changes.lines.allSatisfy { $0.action == "console.sign-in" && $0.address == "192.0.2.1" && $0.link?.count == 64 })
        #expect(changes.leftOut == 7)
        #expect(try await log.page(AuditQuery(bundleID: "com.example.app"), limit: 1).leftOut == nil)
        #expect(changes.next == nil)
        #expect(AuditCursor("1-2") == nil)
    }

    @Test("The first key is made once, for its owner only, and seals; openssl reads it")
    func firstKey() async throws {
        let seals = Mutex<[String]>([])
        let sealer = sealer { note in seals.withLock { $0.append(note) } }
        #expect(try sealer.standing().contains("no audit key"))
        sealer.prepare()
        #expect(try !keys.makeFirst())
        for _ in 0..<2 { try await log.record(.signIn, by: .service) }
        await sealer.sealOnce()
        await sealer.sealOnce()
        #expect(seals.withLock(\.count) == 1)
        #expect(try sealer.standing() == "chained and sealed")
        #expect(try await log.head() == seals.withLock { $0[0] })
        let verdict = try await log.verify(heads: seals.withLock { $0 }.map { .note(SignedNote($0)!) })
        #expect(verdict.isProven)
        #expect(verdict.summary == "The 2 rows of the audit log are complete and unchanged.")
        let arguments = ["pkey", "-in", folder.path("AuditKey_0001.pem"), "-pubout", "-outform", "DER"]
        let der = try OpenSSLCommand.run(arguments).output
        #expect(Array(der.suffix(32)) == (try keys.keys()[0].key.publicKey))
        let mode = try FileManager.default.attributesOfItem(atPath: folder.path("AuditKey_0001.pem"))[.posixPermissions]
        #expect(mode as? Int == 0o600)
    }

    @Test("A configuration is written out when it has changed, and only then")
    func configuration() async throws {
        let record = ConfigurationRecord(log: log)
        try await record.loaded(["a: 1", "b: 2"])
        try await record.loaded(["a: 1", "b: 2"], by: .reloadConfiguration)
        try await record.loaded(["a: 1", "b: 3"])
        let lines = try await log.page(AuditQuery(.action("configuration.")), limit: 9).lines
        #expect(lines.map(\.after) == ["a: 1\nb: 3", nil, "a: 1\nb: 2"])
        #expect(lines.map(\.before) == ["b: 2", nil, nil])
        #expect(lines[1].subject == lines[2].subject)
        #expect(lines[0].subject != lines[1].subject)
        #expect(try await record.lastFacts() == ["a: 1", "b: 3"])
    }
}
