import EligibilityRules
import OfferStore

extension Collection<HistoryKey> {
    /// The two parameters that a statement unnests: apps and ids.
    var values: [Value] { [.numbers(map(\.app)), .texts(map(\.string))] }
}
