import EligibilityRules
import Foundation
import OfferStore

@testable import OfferService

/// What was promised to clients, and whether it was kept.
struct SimulatedCourse {
    /// What clients were given: the nonces of their signatures, and when.
    private(set) var signed: [UUID: Int64] = [:]
    private var answers: [String: [UInt8]] = [:]
    /// All that the ledger ever had.
    private var entries: [LedgerEntry] = []
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
    mutating func note(_ issuance: OfferIssuer.Issuance, key: String?, at time: Int64, _ entries: [LedgerEntry]) {
        if let key, let before = answers[key], before != issuance.body {
            // The store forgets an answer after a day; then the same question is another one.
            if !issuance.isReplay { answers[key] = nil } else { violations.append("another answer under the key \(key)") }
        }
        if let key { answers[key] = issuance.body }
        kinds[issuance.isReplay ? "repeated" : issuance.body.isEmpty ? "refused" : "signed", default: 0] += 1
        guard !issuance.isReplay else { return }
        for start in stride(from: 0, to: issuance.body.count, by: 16) {
            let nonce = issuance.body[start..<start + 16].withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
            if let before = signed.updateValue(time, forKey: nonce) {
                violations.append("the nonce \(nonce) was signed at \(before) ms and again at \(time) ms")
            }
            // It came last, or nearly so.
            let isRecorded = entries.reversed().contains { $0.signatures.contains { $0.nonce == nonce } }
            if !isRecorded { violations.append("the nonce \(nonce) is acknowledged, and not in the ledger") }
        }
    }

    /// Takes note of a failure that a client was told of.
    mutating func note(_ error: any Error) {
        // The case, without what it carries.
        kinds[String("\(error)".prefix { $0 != "(" }), default: 0] += 1
    }

    /// Takes note of what the ledger has got: nothing that a revoked key has signed.
    mutating func note(_ new: some Collection<LedgerEntry>, _ revoked: Set<SigningKeyUse>) {
        for entry in new where revoked.contains(SigningKeyUse(keyID: entry.keyID, bundleID: entry.partition.bundleID)) {
            violations.append("\(entry.keyID) has signed, and is revoked")
        }
        entries += new
    }

    /// No nonce was ever in the ledger twice, and what was outstanding was never more than its limit.
    mutating func checkLimits() {
        let nonces = entries.flatMap(\.signatures).map(\.nonce)
        if Set(nonces).count != nonces.count { violations.append("a nonce was in the ledger twice") }
        let uses = entries.flatMap { entry in
            entry.signatures.map { (offer: $0.offerID, customer: entry.customerID ?? "", at: entry.signedAt.milliseconds) }
        }
        let single = Dictionary(grouping: uses.filter { $0.offer == "single" }, by: \.customer).values.map { $0.map(\.at) }
        for times in single { check(times, atMost: 1, "single") }
        check(uses.filter { $0.offer == "three" }.map(\.at), atMost: 3, "three")
    }

    /// - Parameter times: of signatures that count for one limit.
    private mutating func check(_ times: [Int64], atMost limit: Int, _ name: String) {
        // Clocks may differ by what is let pass.
        let lifetime = Reservation.lifetime - 2 * SigningClock.tolerance
        let times = times.sorted()
        for (first, last) in zip(times, times.dropFirst(limit)) where last - first < lifetime {
            violations.append("\(name): \(limit + 1) are outstanding, from \(first) to \(last) ms")
        }
    }
}
