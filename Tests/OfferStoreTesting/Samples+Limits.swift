package import EligibilityRules
package import Foundation
package import OfferStore

extension LimitScope {
    /// That of nothing: a name is its id.
    package static let sample = LimitScope("")
}

extension [LimitName] {
    /// Names that are all text.
    ///
    /// - Parameter entered: nil: all of them.
    package static func sample(_ texts: [String], entered: [String]? = nil) -> [LimitName] {
        texts.map { LimitName(.all, $0, isEntered: entered?.contains($0) ?? true) }
    }
}

extension Reservation {
    /// One under a single name, made at an instant for so many milliseconds.
    package static func sample(
        _ limit: String,
        _ terms: LimitTerms,
        at instant: Instant,
        for milliseconds: Int64 = Reservation.lifetime,
        nonce: UUID = UUID()
    ) -> Reservation {
        Reservation(
            scope: .sample, rule: .uses(terms), names: .sample([limit]), madeAt: instant,
            expiresAt: instant.advanced(by: milliseconds), nonce: nonce)
    }
}

extension LedgerSubmission {
    /// Signatures that take of limits what is said.
    package static func sample(taking reservations: [Reservation], idempotency: IdempotencyRecord? = nil) -> LedgerSubmission {
        LedgerSubmission(.sample(nonces: reservations.map(\.nonce)), reservations: reservations, idempotency: idempotency)
    }
}

extension LedgerOutcome {
    /// The limits that kept a submission out; empty where none did.
    package var limits: [String] { if case .limited(let findings) = self { findings.map(\.limit) } else { [] } }
}
