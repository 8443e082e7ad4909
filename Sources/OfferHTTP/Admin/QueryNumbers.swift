import OfferService

/// Reads whole numbers of a query, and keeps what is wrong with it.
struct QueryNumbers {
    let query: [String: String]
    private var faults: [FieldFault] = []

    init(_ query: [String: String]) { self.query = query }

    /// A number; nil where there is none, or a wrong one.
    mutating func number(_ name: String, in range: ClosedRange<Int64>) -> Int64? {
        guard let text = query[name] else { return nil }
        if let number = Int64(text), range.contains(number) { return number }
        refuse(name, "must be a whole number from \(range.lowerBound) to \(range.upperBound)")
        return nil
    }

    /// Notes that something else is wrong.
    mutating func refuse(_ name: String, _ reason: String) { faults.append(FieldFault(name: name, reason: reason)) }

    /// Throws what is wrong, if anything is.
    func check() throws(RequestFault) { if !faults.isEmpty { throw .invalidFields(faults) } }
}
