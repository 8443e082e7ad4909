package import OfferStore

/// The descent of access keys: which key was made with which other key.
///
/// It matters for decisions that need two persons: a person who makes a second key with the first is still one person.
package struct AccessDescent {
    private let records: [String: AccessRecord]

    /// - Parameter records: every access key, including those that are revoked or expired.
    package init(_ records: [AccessRecord]) {
        self.records = Dictionary(records.map { ($0.id, $0) }) { first, _ in first }
    }

    /// Whether two keys can stand for two persons.
    ///
    /// Returns false if one key was made with the other, also by way of further keys, or if both come from the same key and that
    /// key is not an admin's. An admin issues keys to all, and is trusted to give them to different people.
    package func areTwoPersons(_ one: String, _ other: String) -> Bool {
        guard one != other else { return false }
        let (first, second) = (makers(of: one), makers(of: other))
        guard !first.contains(other), !second.contains(one) else { return false }
        return !first.contains { second.contains($0) && records[$0]?.role != Role.admin.rawValue }
    }

    private func makers(of id: String) -> Set<String> {
        var makers: Set<String> = []
        var next = records[id]?.lifetime.createdBy
        while let id = next, makers.insert(id).inserted { next = records[id]?.lifetime.createdBy }
        return makers
    }
}
