import EligibilityRules
import OfferStore
import OfferStoreTesting
import Testing

@Suite("Ledger contract: outstanding signatures that come again")
struct ReuseContractTests: LimitSamples {
    @Test("An outstanding signature comes again to who asked for it, for the same", arguments: SigningStoreUnderTest.allCases)
    func earlier(_ implementation: SigningStoreUnderTest) async throws {
        let (ledger, folder) = try implementation.makeLedger()
        defer { withExtendedLifetime(folder) {} }
        let terms = Reservation.Rule.uses(LimitTerms(redeemed: 1))
        let first = signature(terms, caller: "one", transaction: "1")
        let entry = try #require(first.entry)
        #expect(try await ledger.record(first) == .recorded)
        func ask(
            _ caller: String = "one",
            _ form: LedgerEntry.Form = .payload,
            _ username: String? = "",
            _ transaction: String? = "1",
            isReuse: Bool = true
        ) async throws -> [LimitFinding.Reason] {
            let outcome = try await ledger.record(
                signature(terms, caller: caller, form: form, username: username, transaction: transaction, isReuse: isReuse))
            if case .limited(let findings) = outcome { return findings.map(\.reason) } else { return [] }
        }
        let earlier = EarlierSignature(entry, nonce: entry.signatures[0].nonce, token: [7, 8, 9])
        #expect(try await ask() == [.outstanding(earlier)])
        for reasons in [
            try await ask("two"), try await ask("one", .promotionalJWS), try await ask("one", .payload, "anna"),
            try await ask("one", .payload, nil), try await ask("one", .payload, "", "2"),
            try await ask("one", .payload, "", nil), try await ask(isReuse: false),
        ] {
            guard case .usedUp = reasons.first, reasons.count == 1 else { throw UnexpectedOutcome() }
        }
        // Until the App Store takes it no more: then it is outstanding for five minutes yet.
        try await ledger.count([redemption("1", of: entry.signatures[0].nonce)])
        guard case .usedUp = try await ask().first else { throw UnexpectedOutcome() }
    }

    @Test("Of many outstanding signatures the latest come again, and all count", arguments: SigningStoreUnderTest.allCases)
    func many(_ implementation: SigningStoreUnderTest) async throws {
        let (ledger, folder) = try implementation.makeLedger()
        defer { withExtendedLifetime(folder) {} }
        let (unlimited, limited) = (LimitTerms(), LimitTerms(redeemed: 40))
        func ask(_ number: Int, _ terms: LimitTerms) async throws -> LimitFinding.Reason? {
            let outcome = try await ledger.record(
                signature(.uses(terms), after: Int64(number), caller: "one", username: "user \(number)", isReuse: true))
            guard case .limited(let findings) = outcome else { return nil }
            return findings.first?.reason
        }
        for number in 0..<40 { #expect(try await ask(number, unlimited) == nil) }
        for terms in [unlimited, limited] {
            for number in [8, 39] {
                guard case .outstanding = try await ask(number, terms) else { throw UnexpectedOutcome() }
            }
        }
        guard case .usedUp(let evidence) = try await ask(7, limited) else { throw UnexpectedOutcome() }
        #expect(evidence.counted == 40)
        #expect(try await ask(7, unlimited) == nil)
    }

    @Test("The latest signatures are those that count, of any of the names", arguments: SigningStoreUnderTest.allCases)
    func latest(_ implementation: SigningStoreUnderTest) async throws {
        let (ledger, folder) = try implementation.makeLedger()
        defer { withExtendedLifetime(folder) {} }
        func ask(_ number: Int, _ names: [String], _ terms: LimitTerms = LimitTerms()) async throws -> LedgerSubmission? {
            let submission = signature(
                .uses(terms), names, after: Int64(number), caller: "one", username: "user \(number)", isReuse: true)
            switch try await ledger.record(submission) {
            case .recorded: return submission
            case .limited(let findings):
                guard case .outstanding? = findings.first?.reason else { throw UnexpectedOutcome() }
                return nil
            default: throw UnexpectedOutcome()
            }
        }
        #expect(try await ask(0, ["a", "b"]) != nil)
        for number in 1...40 {
            let signed = try #require(try await ask(number, ["a"]))
            if number > 20 {
                try await ledger.count([redemption("\(number)", of: signed.entry!.signatures[0].nonce)])
            }
        }
        // Twenty are outstanding under the name after it.
        #expect(try await ask(0, ["a"]) == nil)
        for number in 41...60 { #expect(try await ask(number, ["a"]) != nil) }
        for terms in [LimitTerms(), LimitTerms(redeemed: 1000)] { #expect(try await ask(0, ["a", "b"], terms) == nil) }
        #expect(try await ask(0, ["a"]) != nil)
    }
}
