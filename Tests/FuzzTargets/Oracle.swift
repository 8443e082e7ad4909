package import EligibilityRules
import OfferSigning
package import WireText

@testable import AppStore
@testable import OfferStore

/// What has to hold of everything that is decoded, whatever the input was.
package enum Oracle {
    /// A value that was parsed is the same after it was written and parsed again.
    package static func check(_ value: JSONValue) {
        guard let again = try? JSONValue(parsing: value.bytes) else { fatalError("what was written is no JSON") }
        // Written once more, since `==` takes canonically equivalent texts for one.
        precondition(again == value && again.bytes == value.bytes, "JSON written is not the JSON that was read")
    }

    /// A history that was decoded can be merged with itself, decided on, and kept.
    package static func check(_ history: PurchaseHistory) {
        precondition(history.merged(with: history) == history, "merging a history with itself changes it")
        for chain in history.chains {
            check(chain)
            for now in [Instant(milliseconds: 0), Instant(milliseconds: 1_700_000_000_000)] {
                _ = SubscriptionStatus(of: [chain], at: now)
                _ = PollSchedule.next(for: chain, after: now)
            }
        }
    }

    /// A chain is the same after it was written and read again.
    package static func check(_ chain: PurchaseChain) {
        let record = ChainRecord.bytes(of: chain)
        guard let again = try? record.withUnsafeBytes({ try ChainRecord.chain(originalID: chain.originalID, bytes: $0) })
        else { fatalError("a record cannot be read") }
        precondition(again == chain && ChainRecord.bytes(of: again) == record, "a record is not the chain that was written")
    }
}
