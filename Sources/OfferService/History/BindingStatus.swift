import OfferStore

/// The outcome of a binding, in a word.
package enum BindingStatus: String, Sendable {
    case bound, unchanged, transferred, unbound, merged

    /// Throws if the subscription stays with another customer.
    init(_ outcome: BindingOutcome) throws(HistoryError) {
        switch outcome {
        case .bound: self = .bound
        case .unchanged: self = .unchanged
        case .transferred: self = .transferred
        case .unbound: self = .unbound
        case .boundToAnotherCustomer: throw .boundToAnotherCustomer
        }
    }
}
