import OfferService

/// A search for deliveries, as the form of the page sends it.
struct EventSearch {
    /// The fields that the query may have.
    static let fields = ["endpoint", "type", "state"]

    private let texts: [String: String]

    init(_ query: [String: String]) {
        texts = query.filter { Self.fields.contains($0.key) && !$0.value.isEmpty }
    }

    /// Returns the value of a field; empty if there is none.
    subscript(name: String) -> String { texts[name] ?? "" }

    var query: EventQuery { EventQuery(endpoint: texts["endpoint"], type: texts["type"], state: texts["state"]) }

    /// The same search, for a link: `endpoint=crm&state=failed&`.
    var link: String {
        Self.fields.compactMap { name in texts[name].map { "\(name)=\(PercentEncoding.encoded($0))&" } }.joined()
    }
}
