import WireText

/// Merges the changes of two users who have edited the same draft, field by field.
enum CampaignMerge {
    private static let parts = ["schedule", "limits", "goal"]

    /// Returns the merged campaign.
    ///
    /// If both users have changed the same field, the value of `mine` is used.
    ///
    /// - Parameter base: the text that both users have edited.
    static func json(base: JSONValue, theirs: JSONValue, mine: JSONValue) -> JSONValue {
        guard case .object(let own) = mine, case .object(let others) = theirs else { return mine }
        let names = own.map(\.name) + others.map(\.name).filter { name in !own.contains { $0.isNamed(name) } }
        return .object(
            names.compactMap { name in
                let (before, left, right) = (base.member(name), theirs.member(name), mine.member(name))
                let value =
                    if parts.contains(name), let left, let right {
                        json(base: before ?? .object([]), theirs: left, mine: right)
                    } else {
                        right == before ? left : right
                    }
                return value.map { JSONValue.Member(name: name, value: $0) }
            })
    }
}
