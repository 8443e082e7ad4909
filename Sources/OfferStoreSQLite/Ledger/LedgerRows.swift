import EligibilityRules
import FoundationEssentials
import GRDB
import OfferStore

/// Reads and writes what a batch of submissions needs, with statements that are stepped directly, without boxing values.
///
/// Created for each batch, as GRDB caches the statements. Used on the writer's connection only, in one transaction.
struct LedgerRows {
    private let database: Database
    private let audit: AuditWriter
    private let limitIndex: LimitIndex
    private let requestInsertion: PreparedStatement
    private let seriesLookup: PreparedStatement
    /// Statements by the number of series.
    private var seriesInsertions: [Int: PreparedStatement] = [:]
    /// Writes the reservations of the batch; nil if nothing in it is limited.
    private var reservations: ReservationWriter?
    private let exposureNumbers: ExposureNumbers
    private let revocations: Revocations
    /// Created for the first exposure.
    private var exposures: ExposureWriter?
    /// A buffer for composed values, empty between uses.
    private var value: [UInt8] = []
    /// The number of the next row.
    private var next: Int64

    /// - Parameters:
    ///   - limitIndex: is read and kept up to date from the first limited request on.
    ///   - exposureNumbers: likewise, from the first exposure on.
    init(
        _ database: Database,
        _ audit: AuditWriter,
        _ limitIndex: LimitIndex,
        _ exposureNumbers: ExposureNumbers,
        _ revocations: Revocations
    ) throws {
        self.database = database
        self.exposureNumbers = exposureNumbers
        self.revocations = revocations
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
        seriesLookup = try PreparedStatement(database, "SELECT 1 FROM nonce_series WHERE series = ?")
        next = try audit.nextID(.signatures, database)
    }

    /// Finds what is stored for a batch's keys.
    mutating func find(_ keys: LedgerKeys) throws -> LedgerFacts {
        var facts = LedgerFacts()
        if !keys.callers.isEmpty {
            try revocations.catchUp(database)
            (facts.revokedSigners, facts.revokedCallers) = (revocations.signers, revocations.callers)
        }
        for key in keys.answers { facts.answers[key] = try SQLiteLedger.answer(key.caller, key.key, database) }
        if !keys.holds.isEmpty { facts.holders = try ExclusionHolds.holders(keys.holds, database) }
        if !keys.names.isEmpty {
            let limits = try Reservations(database, limitIndex)
            // First the totals, because this deletes lapsed signatures, which hold no place any more.
            facts.totals = try limits.totals(keys)
            facts.uses = try limits.uses(keys)
            reservations = try ReservationWriter(database, limitIndex)
        }
        for series in keys.series.map(\.number) {
            withUnsafeBytes(of: series.bigEndian) { seriesLookup.bind($0, at: 1) }
            defer { seriesLookup.reset() }
            if try seriesLookup.step() { facts.series.insert(series) }
        }
        return facts
    }

    /// Writes the decision on a batch.
    mutating func write(_ batch: LedgerBatch, _ decision: LedgerDecision) throws {
        var number = 0
        for job in batch.jobs.indices {
            for index in batch.jobs[job].indices {
                defer { number += 1 }
                guard case .recorded = decision.outcomes[job][index] else { continue }
                try write(batch.jobs[job][index], batch.keys.names[batch.firstName(of: number)...], decision.places)
            }
        }
        try reservations?.finish()
        for (signature, total) in decision.places.passedOn {
            try ReservationEdit.run(signature.id, database) { $0.held.removeAll { $0 == total } }
        }
        for (total, count) in decision.places.added {
            try LimitTotals.add(LimitTotal(outstanding: count), to: total, database)
        }
        if !decision.holders.isEmpty { try ExclusionHolds.write(decision.holders, database) }
    }

    /// - Parameter names: the names of the submission's reservations, and all that follow.
    private mutating func write(
        _ submission: LedgerSubmission,
        _ names: ArraySlice<LedgerKeys.Name>,
        _ places: PlaceChanges
    ) throws {
        if let entry = submission.entry {
            try insert(NonceSet(entry.signatures))
            try insertRequest(entry)
            if !submission.reservations.isEmpty {
                try reservations!.insert(submission.reservations, names, places, for: entry, request: next - 1)
            }
        }
        if !submission.exposures.isEmpty {
            if exposures == nil { exposures = try ExposureWriter(database, exposureNumbers) }
            try exposures!.insert(submission.exposures)
        }
        if let refusals = submission.refusals { try refusals.insert(database, audit) }
        if !submission.auditEvents.isEmpty { try audit.insert(submission.auditEvents, database) }
        if let record = submission.idempotency { try insert(record) }
        // A transaction that changes nothing would not reach the disk. A submission with only probes need not.
        if submission.isEmpty, submission.probes.isEmpty { try database.execute(sql: "UPDATE write_probe SET count = count + 1") }
    }

    private mutating func insertRequest(_ entry: LedgerEntry) throws {
        let statement = requestInsertion
        statement.bind(next, at: 1)
        statement.bind(entry.signedAt.milliseconds, at: 2)
        statement.bind(entry.partition.name, at: 3)
        statement.bind(entry.keyID, at: 4)
        statement.bind(entry.form.rawValue, at: 5)
        statement.bind(entry.request.caller, at: 6)
        statement.bind(entry.request.customerID, at: 7)
        statement.bind(entry.request.applicationUsername, at: 8)
        statement.bind(entry.request.transactionID, at: 9)
        statement.bind(entry.request.id, at: 10)
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
        statement.bind(entry.request.address, at: 16)
        try statement.run()
        next += 1
    }

    /// Stores an answer under its idempotency key.
    private func insert(_ record: IdempotencyRecord) throws {
        let insertion = try PreparedStatement(
            database,
            "INSERT OR REPLACE INTO idempotency (caller, key, request_digest, answer, created_at) VALUES (?, ?, ?, ?, ?)"
        )
        insertion.bind(record.caller, at: 1)
        insertion.bind(record.key, at: 2)
        insertion.bind(record.requestDigest, at: 3)
        insertion.bind(record.answer, at: 4)
        insertion.bind(record.createdAt.milliseconds, at: 5)
        try insertion.run()
    }

    /// Inserts all series, none of which has a used nonce.
    private mutating func insert(_ nonces: NonceSet) throws {
        let statement = try seriesInsertion(of: nonces.count)
        var parameter: Int32 = 1
        nonces.forEachSeries { series in
            withUnsafeBytes(of: series.bigEndian) { statement.bind($0, at: parameter) }
            statement.bind(next, at: parameter + 1)
            parameter += 2
        }
        try statement.run()
    }

    private mutating func seriesInsertion(of count: Int) throws -> PreparedStatement {
        if let statement = seriesInsertions[count] { return statement }
        let statement = try PreparedStatement(database, count == 1 ? Self.oneSeries : Self.insertion(ofSeries: count))
        seriesInsertions[count] = statement
        return statement
    }

    private static let oneSeries = insertion(ofSeries: 1)

    private static func insertion(ofSeries count: Int) -> String {
        let rows = Array(repeating: "(?, ?)", count: count).joined(separator: ", ")
        return "INSERT INTO nonce_series (series, signed_request) VALUES \(rows)"
    }
}
