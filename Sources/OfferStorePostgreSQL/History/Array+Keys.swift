import EligibilityRules
import OfferStore

extension Collection<HistoryKey> {
    /// The two parameters that a statement unnests: the apps and the ids.
    var values: [Value] { [.numbers(map(\.app)), .texts(map(\.string))] }
}
