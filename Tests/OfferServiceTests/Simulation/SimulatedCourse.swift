import EligibilityRules
import Foundation
import OfferStore

@testable import OfferService

/// What was promised to clients, and whether it was kept.
struct SimulatedCourse {
    /// What clients were given: the nonces of their signatures, and when.
    private(set) var signed: [UUID: Int64] = [:]
    private var answers: [String: (body: [UInt8], askedAt: Int64)] = [:]
    /// All that the ledger ever had.
    private var entries: [(entry: LedgerEntry, recordedAt: Instant)] = []
    private var known: [UUID: LedgerEntry] = [:]
    private(set) var violations: [String] = []
    /// How often each kind of answer was given.
    private(set) var kinds: [String: Int] = [:]

    /// An answer: its signed nonces, 16 bytes each.
    static func render(_ issued: IssuedOffers) -> [UInt8] {
        issued.results.flatMap { result in
            if case .signed(let offer) = result.outcome {
                withUnsafeBytes(of: offer.nonce.uuid) { Array($0) }
            } else {
                [] as [UInt8]
            }
        }
    }

    /// Takes note of an answer that a client got.
    ///
    /// - Parameters:
    ///   - asked: when the client asked.
    ///   - time: when the answer came.
    ///   - isRecorded: whether the ledger has a nonce.
    mutating func note(
        _ issuance: OfferIssuer.Issuance,
        key: String?,
        askedAt asked: Int64,
        at time: Int64,
        isRecorded: (UUID) -> Bool
    ) {
        if let key {
            // An answer is kept for a day; then the same question is another one. A question may wait for some minutes.
            let isKept =
                answers[key].map { asked - $0.askedAt < IdempotencyRecord.lifetime - 600_000 } ?? false
            if isKept, answers[key]!.body != issuance.body { violations.append("another answer under the key \(key)") }
            if !isKept { answers[key] = (issuance.body, asked) }
        }
        kinds[issuance.isReplay ? "repeated" : issuance.body.isEmpty ? "refused" : "signed", default: 0] += 1
        guard !issuance.isReplay else { return }
        for start in stride(from: 0, to: issuance.body.count, by: 16) {
            let nonce = issuance.body[start..<start + 16].withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
            if let before = signed.updateValue(time, forKey: nonce) {
                violations.append("the nonce \(nonce) was signed at \(before) ms and again at \(time) ms")
            }
            if !isRecorded(nonce) { violations.append("the nonce \(nonce) is acknowledged, and not in the ledger") }
        }
    }

    /// Takes note of a failure that a client got.
    mutating func note(_ error: any Error) {
        // The case, without what it carries.
        kinds[String("\(error)".prefix { $0 != "(" }), default: 0] += 1
    }

    /// Takes note of what the ledger has of nonces that were submitted: nothing new that a revoked key has signed.
    ///
    /// - Parameter now: what a right clock shows.
    mutating func note(_ found: [LedgerEntry], _ revoked: Set<SigningKeyUse>, at now: Instant) {
        let new = found.filter { entry in
            // Looked up by each of its nonces, or before.
            guard let nonce = entry.signatures.first?.nonce, known[nonce] != entry else { return false }
            known[nonce] = entry
            return true
        }
        for entry in new where revoked.contains(SigningKeyUse(keyID: entry.keyID, bundleID: entry.partition.bundleID)) {
            violations.append("\(entry.keyID) has signed, and is revoked")
        }
        entries += new.map { ($0, now) }
    }

    /// Takes note of the time that a replica goes by: a clock that is wrong is not trusted.
    mutating func note(clockAheadBy error: Int64) {
        if error.magnitude > SigningClock.tolerance { violations.append("a clock is trusted that is \(error) ms ahead") }
    }

    /// The first nonce of each request that the ledger ever had.
    var recorded: [UUID] { entries.map { $0.entry.signatures[0].nonce } }

    /// No nonce was ever in the ledger twice, and what was outstanding was never more than its limit.
    mutating func checkLimits() {
        let nonces = entries.flatMap(\.entry.signatures).map(\.nonce)
        if Set(nonces).count != nonces.count { violations.append("a nonce was in the ledger twice") }
        let uses = entries.flatMap { entry, recordedAt in
            entry.signatures.map { signature in
                Use(
                    offer: signature.offerID, customer: entry.request.customerID ?? "", signedAt: entry.signedAt.milliseconds,
                    recordedAt: recordedAt.milliseconds)
            }
        }
        let single = Dictionary(grouping: uses.filter { $0.offer == "single" }, by: \.customer)
        for uses in single.values { check(uses) { before, _ in before.isEmpty } }
        check(uses.filter { $0.offer == "three" }) { before, use in
            let holders = Set(before.map(\.customer))
            return holders.contains(use.customer) || holders.count < 3
        }
    }

    /// A signature that counts for a limit, in the order of recording.
    private struct Use {
        let offer: String
        let customer: String
        let signedAt: Int64
        let recordedAt: Int64
    }

    /// What is recorded finds room beside what is outstanding. A signature may be recorded long after it was dated.
    private mutating func check(_ uses: [Use], hasRoom: ([Use], Use) -> Bool) {
        // Clocks may differ by what is let pass.
        let lifetime = Reservation.lifetime - 2 * SigningClock.tolerance
        for (index, use) in uses.enumerated() {
            let outstanding = uses[..<index].filter { $0.signedAt + lifetime > use.recordedAt }
            if !hasRoom(outstanding, use) { violations.append("\(use): \(outstanding.count) were outstanding") }
        }
    }
}
