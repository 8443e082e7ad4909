import OfferService
import WireText

/// The part of a list that `?limit=&after=` asks for.
struct ListPage {
    static let parameters = ["limit", "after"]
    private static let sizes: ClosedRange<Int64> = 1...200

    private let limit: Int
    private let after: String?

    init(_ query: [String: String]) throws(RequestFault) {
        let limit = query["limit"].map { Int64($0) ?? -1 } ?? Self.sizes.upperBound
        guard Self.sizes.contains(limit) else {
            let reason = "must be a whole number from \(Self.sizes.lowerBound) to \(Self.sizes.upperBound)"
            throw .invalidFields([FieldFault(name: "limit", reason: reason)])
        }
        self.limit = Int(limit)
        after = query["after"]
    }

    /// `{"items":[…],"next":<cursor>|null}` of a list whose items have ids of their own; a cursor is the id of the last one shown.
    func json<Item>(
        of items: [Item],
        id: (Item) -> String,
        with more: [JSONValue.Member] = [],
        _ json: (Item) -> JSONValue
    ) throws(RequestFault) -> JSONValue {
        var rest = items[...]
        if let after {
            guard let index = items.firstIndex(where: { id($0) == after }) else {
                throw .invalidFields([FieldFault(name: "after", reason: "must be the next of an earlier answer")])
            }
            rest = items[(index + 1)...]
        }
        let shown = rest.prefix(limit)
        let next = shown.count < rest.count ? shown.last.map(id) : nil
        return .object(
            [
                JSONValue.Member(name: "items", value: .array(shown.map(json))),
                JSONValue.Member(name: "next", value: .text(next)),
            ] + more)
    }
}
