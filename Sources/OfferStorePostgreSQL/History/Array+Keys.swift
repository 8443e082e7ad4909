import EligibilityRules
import OfferStore
import OfferStoreSQL

extension Collection<HistoryKey> {
    /// The two parameters that a statement unnests: apps and ids.
    var unnested: [SQLValue] { [.numbers(map(\.app)), .texts(map(\.string))] }
}
