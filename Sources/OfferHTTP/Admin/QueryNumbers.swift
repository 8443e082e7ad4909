import OfferService

/// Reads whole numbers of a query.
///
/// Collects the faults, so that one answer lists all of them.
struct QueryNumbers {
    let query: [String: String]
    private var faults: [FieldFault] = []

    init(_ query: [String: String]) { self.query = query }

    /// Returns a number; nil if it is missing or invalid.
    ///
    /// Records a fault if it is invalid.
    mutating func number(_ name: String, in range: ClosedRange<Int64>) -> Int64? {
        guard let text = query[name] else { return nil }
        if let number = Int64(text), range.contains(number) { return number }
        refuse(name, "must be a whole number from \(range.lowerBound) to \(range.upperBound)")
        return nil
    }

    /// Records another fault.
    mutating func refuse(_ name: String, _ reason: String) { faults.append(FieldFault(name: name, reason: reason)) }

    /// Throws the recorded faults, if there are any.
    func check() throws(RequestFault) { if !faults.isEmpty { throw .invalidFields(faults) } }
}
