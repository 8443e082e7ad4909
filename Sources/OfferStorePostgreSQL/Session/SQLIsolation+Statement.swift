import OfferStoreSQL

extension SQLIsolation {
    /// The statement that begins a transaction.
    var beginning: String {
        switch self {
        case .snapshot: "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
        case .serializable: "BEGIN ISOLATION LEVEL SERIALIZABLE"
        case .latest: "BEGIN ISOLATION LEVEL READ COMMITTED"
        }
    }
}
