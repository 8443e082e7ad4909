import EligibilityRules
import FoundationEssentials
import GRDB
import OfferStore

/// The ledger's prepared statements, stepped directly: a request some 20 µs, no value boxed on the way.
///
/// Made anew for each batch (GRDB keeps them compiled) and used on the writer's connection only, in one transaction.
struct LedgerStatements {
    private let database: Database
    private let audit: AuditWriter
    private let limitIndex: LimitIndex
    private let requestInsertion: PreparedStatement
    private let answerInsertion: PreparedStatement
    /// By the number of series.
    private var seriesInsertions: [Int: PreparedStatement] = [:]
    /// Nil where nothing is limited.
    private var limits: Reservations?
    private let exposureNumbers: ExposureNumbers
    /// Made for the first.
    private var exposures: ExposureWriter?
    /// Made for the first of an exclusion group.
    private var holds: ExclusionHolds?
    /// A value that is put together from several, empty in between.
    private var value: [UInt8] = []
    /// Number of the next row.
    private var next: Int64

    /// - Parameters:
    ///   - limitIndex: is asked, and kept up to date, from the first request on that is limited.
    ///   - exposureNumbers: likewise, from the first exposure on.
    init(
        _ database: Database,
        _ audit: AuditWriter,
        _ limitIndex: LimitIndex,
        _ exposureNumbers: ExposureNumbers
    ) throws {
        self.database = database
        self.exposureNumbers = exposureNumbers
        self.limitIndex = limitIndex
        self.audit = audit
        requestInsertion = try PreparedStatement(
            database,
            """
            INSERT INTO signed_request (id, signed_at, bundle_id, key_id, form, caller, customer_id, application_username,
            transaction_id, request_id, nonces, digests, offers, chain, link, address)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """
        )
        answerInsertion = try PreparedStatement(
            database,
            "INSERT OR REPLACE INTO idempotency (caller, key, request_digest, answer, created_at) VALUES (?, ?, ?, ?, ?)"
        )
        next = try audit.nextID(.signatures, database)
    }

    /// Looks ahead at the submissions of the batch.
    mutating func prepare(_ jobs: [[LedgerSubmission]]) throws {
        guard jobs.contains(where: { $0.contains { !$0.reservations.isEmpty || !$0.probes.isEmpty } }) else { return }
        limits = try Reservations(database, limitIndex)
        limits!.prepare(jobs)
    }

    /// What keeps reservations from being taken; empty if nothing does.
    ///
    /// - Parameters:
    ///   - reservations: those of a submission, its probes at the end.
    ///   - number: of the submission in the batch.
    ///   - entry: of the signatures that take them; nil for a look alone.
    mutating func findings(_ reservations: [Reservation], of number: Int, for entry: LedgerEntry?) throws -> [LimitFinding] {
        try limits!.findings(reservations, of: number, for: entry)
    }

    /// Takes reservations for the entry that was inserted last; nothing keeps them from it.
    mutating func insert(_ reservations: [Reservation], of number: Int, for entry: LedgerEntry) throws {
        try limits!.insert(reservations, of: number, for: entry, request: next - 1)
    }

    /// What keeps exposures from being added; empty if nothing does.
    mutating func holdFindings(_ exposures: [Exposure]) throws -> [LimitFinding] {
        guard exposures.contains(where: { $0.exclusionGroup != nil }) else { return [] }
        if holds == nil { holds = try ExclusionHolds(database) }
        return try holds!.findings(exposures)
    }

    /// Adds exposures, which nothing keeps from it.
    mutating func insert(_ exposures: [Exposure]) throws {
        try holds?.insert(exposures)
        if self.exposures == nil { self.exposures = try ExposureWriter(database, exposureNumbers) }
        try self.exposures!.insert(exposures)
    }

    /// Writes what is left to write, at the end of the transaction.
    mutating func finish() throws { try limits?.finish() }

    /// Records an entry. If one of its nonces is there already, it gives that one and has written nothing.
    mutating func insert(_ entry: LedgerEntry) throws -> UUID? {
        var nonces = NonceSet()
        let twice = entry.signatures.withUnsafeBufferPointer { signatures in
            signatures.indices.first { !nonces.insert(signatures[$0].nonce) }
        }
        if let twice { return entry.signatures[twice].nonce }
        guard try insert(nonces.series) else { return try usedNonce(of: entry) }
        try insertRequest(entry)
        return nil
    }

    private mutating func insertRequest(_ entry: LedgerEntry) throws {
        let statement = requestInsertion
        statement.bind(next, at: 1)
        statement.bind(entry.signedAt.milliseconds, at: 2)
        statement.bind(entry.bundleID, at: 3)
        statement.bind(entry.keyID, at: 4)
        statement.bind(entry.form.rawValue, at: 5)
        statement.bind(entry.caller, at: 6)
        statement.bind(entry.customerID, at: 7)
        statement.bind(entry.applicationUsername, at: 8)
        statement.bind(entry.transactionID, at: 9)
        statement.bind(entry.requestID, at: 10)
        let ends = entry.signatures.withUnsafeBufferPointer { signatures in
            for index in signatures.indices { withUnsafeBytes(of: signatures[index].nonce.uuid) { value += $0 } }
            let nonces = value.count
            for index in signatures.indices { value += signatures[index].digest }
            let digests = value.count
            OfferList.append(signatures, to: &value)
            return (nonces, digests)
        }
        let (id, row) = (next, audit.row)
        value.withUnsafeBytes { bytes in
            let nonces = UnsafeRawBufferPointer(rebasing: bytes[..<ends.0])
            let digests = UnsafeRawBufferPointer(rebasing: bytes[ends.0..<ends.1])
            let offers = UnsafeRawBufferPointer(rebasing: bytes[ends.1...])
            statement.bind(nonces, at: 11)
            statement.bind(digests, at: 12)
            statement.bind(text: offers, at: 13)
            row.encode(entry, id: id, nonces: nonces, digests: digests, offers: offers, audit.identity.keyed)
        }
        value.removeAll(keepingCapacity: true)
        let (chain, link) = try audit.link(.signatures, id: id, at: entry.signedAt, database)
        statement.bind(chain, at: 14)
        link.withBytes { statement.bind($0, at: 15) }
        statement.bind(entry.address, at: 16)
        try statement.run()
        next += 1
    }

    /// Keeps an answer under its idempotency key.
    func insert(_ record: IdempotencyRecord) throws {
        answerInsertion.bind(record.caller, at: 1)
        answerInsertion.bind(record.key, at: 2)
        answerInsertion.bind(record.requestDigest, at: 3)
        answerInsertion.bind(record.answer, at: 4)
        answerInsertion.bind(record.createdAt.milliseconds, at: 5)
        try answerInsertion.run()
    }

    /// Takes all the series or, if one is taken already, none: a statement stands or falls as a whole.
    private mutating func insert(_ series: [UInt64]) throws -> Bool {
        let statement = try seriesInsertion(of: series.count)
        var parameter: Int32 = 1
        for series in series {
            withUnsafeBytes(of: series.bigEndian) { statement.bind($0, at: parameter) }
            statement.bind(next, at: parameter + 1)
            parameter += 2
        }
        do {
            try statement.run()
            return true
        } catch {
            if error.isPrimaryKeyViolation { return false }
            throw error
        }
    }

    private mutating func seriesInsertion(of count: Int) throws -> PreparedStatement {
        if let statement = seriesInsertions[count] { return statement }
        let rows = Array(repeating: "(?, ?)", count: count).joined(separator: ", ")
        let statement = try PreparedStatement(database, "INSERT INTO nonce_series (series, signed_request) VALUES \(rows)")
        seriesInsertions[count] = statement
        return statement
    }

    /// The first nonce whose series was recorded before.
    private func usedNonce(of entry: LedgerEntry) throws -> UUID {
        let find = try PreparedStatement(database, "SELECT 1 FROM nonce_series WHERE series = ?")
        for signature in entry.signatures {
            withUnsafeBytes(of: signature.nonce.series.bigEndian) { find.bind($0, at: 1) }
            defer { find.reset() }
            if try find.step() { return signature.nonce }
        }
        throw StoreError(.damaged, "SQLite refused a nonce that it does not have")
    }
}
