package import AppStore
import EligibilityRules

/// Receives what is unexpected in purchases, for the log and the metrics.
package protocol HistoryObserver: Sendable {
    /// Some fields of Apple's have values that this release does not know.
    func didFindUnrecognised(_ fields: [String], bundleID: String)

    /// The App Store reports that seats have no holder any more.
    func didUnclaim(_ seats: UnclaimedSeats, bundleID: String)

    /// The App Store has a product in another subscription group than the catalogue has.
    func didFindDifference(_ difference: GroupDirectory.Difference, bundleID: String)
}

extension HistoryObserver {
    /// Examines purchases that were taken in, and reports what is unexpected.
    func look(at chains: [PurchaseChain], of app: App) {
        let fields = chains.flatMap(\.unrecognisedFields)
        if !fields.isEmpty { didFindUnrecognised(fields, bundleID: app.bundleID) }
    }
}

extension PurchaseChain {
    /// The names of the fields whose values this release does not know.
    var unrecognisedFields: [String] {
        let all = transactions.compactMap(\.particulars?.value) + [renewal?.value.particulars].compactMap(\.self)
        return all.flatMap { $0.facts.filter { !$0.isRecognised }.map(\.name) }
    }
}
