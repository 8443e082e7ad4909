import EligibilityRules
import OfferStore
import OfferStoreTesting
import Testing

@Suite("Merging changes")
struct HistoryMergeTests {
    @Test("A batch looks at the store three times at most, however many changes it has")
    func looks() async throws {
        let file = MemoryHistoryFile()
        let histories = MemoryHistoryStore(file)
        func looks(_ change: (Int) -> HistoryChange) async throws -> (count: Int, outcomes: [HistoryOutcome]) {
            let before = file.looks
            let outcomes = try await histories.applyAll((0..<64).map(change))
            return (file.looks - before, outcomes)
        }
        func token(_ number: Int) -> String { "0a7e5b1c-0000-4000-8000-\(100_000_000_000 + number)" }
        func purchase(_ number: Int, _ customer: String, _ proof: BindingProof = .vouched) -> HistoryChange {
            var chain = PurchaseChain.sample("\(number)", periods: 0..<2, token: token(number))
            chain.appTransactionID = "\(9000 + number)"
            return .sample([chain], of: customer, by: proof)
        }
        let new = try await looks { purchase($0, "customer \($0)") }
        #expect(new.count == 2 && new.outcomes.allSatisfy { $0 == .merged([.changed]) })
        let known = try await looks { purchase($0, "customer \($0)") }
        #expect(known.count == 2 && known.outcomes.allSatisfy { $0 == .merged([.unchanged]) })
        let contested = try await looks { purchase($0, "rival \($0)", .claimed) }
        #expect(contested.count == 2 && contested.outcomes.allSatisfy { $0 == .merged([.boundToAnotherCustomer]) })
        let upgraded = try await looks { number in
            var chain = PurchaseChain.sample("\(1000 + number)")
            chain.previousOriginalID = "\(number)"
            return .sample([chain], of: "customer \(number)")
        }
        #expect(upgraded.count <= 3 && upgraded.outcomes.allSatisfy { $0 == .merged([.changed]) })
    }
}
