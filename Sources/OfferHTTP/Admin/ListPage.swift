import OfferService
import WireText

/// The part of a list that a request asks for with `?limit=…&after=…`.
struct ListPage {
    private static let sizes: ClosedRange<Int64> = 1...200
    static let strangeCursor = "must be the value of next in an earlier answer"

    private let limit: Int
    private let after: String?

    init(_ query: [String: String]) throws(RequestFault) {
        var numbers = QueryNumbers(query)
        limit = Self.limit(&numbers)
        try numbers.check()
        after = query["after"]
    }

    /// Returns the maximum number of items on a page: `limit`, or 200 if it is absent.
    ///
    /// Records a fault if it is invalid.
    static func limit(_ numbers: inout QueryNumbers) -> Int { Int(numbers.number("limit", in: sizes) ?? sizes.upperBound) }

    /// Returns `{"items":[…],"next":<cursor>|null}` for a list whose items have ids.
    ///
    /// The cursor is the id of the page's last item.
    func json<Item>(
        of items: [Item],
        id: (Item) -> String,
        with more: [JSONValue.Member] = [],
        _ json: (Item) -> JSONValue
    ) throws(RequestFault) -> JSONValue {
        var rest = items[...]
        if let after {
            guard let index = items.firstIndex(where: { id($0) == after }) else {
                throw .invalidFields([FieldFault(name: "after", reason: Self.strangeCursor)])
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
