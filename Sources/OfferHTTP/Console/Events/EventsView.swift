import OfferService

/// The page about the endpoints and the deliveries.
struct EventsView: PageView {
    static let template = "events"

    /// What became of the reader's last action.
    let done: String?
    let hasEndpoints: Bool
    let endpoints: [EventEndpointRow]
    let names: [FieldView.Choice]
    let states: [FieldView.Choice]
    let type: String
    let heading: String
    let hasRows: Bool
    let rows: [EventRow]
    /// The path of the next page.
    let older: String?

    /// Creates the page of a search.
    ///
    /// - Parameter mayRun: whether the reader may send tests, and enable endpoints.
    init(
        _ page: EventPage,
        of search: EventSearch,
        endpoints: [EventEndpointLine],
        done: String?,
        mayRun: Bool,
        _ time: ConsoleTime
    ) {
        self.done = done
        hasEndpoints = !endpoints.isEmpty
        self.endpoints = endpoints.map { EventEndpointRow($0, mayRun: mayRun, time) }
        names = Self.choices([("", "All endpoints")] + endpoints.map { ($0.name, $0.name) }, search["endpoint"])
        states = Self.choices(
            [("", "All states")] + EventQuery.states.map { ($0, $0.prefix(1).uppercased() + $0.dropFirst()) }, search["state"])
        type = search["type"]
        heading = "\(ConsoleTime.count(page.lines.count, "delivery", "deliveries")), newest first"
        hasRows = !page.lines.isEmpty
        rows = page.lines.map { EventRow($0, time) }
        older = page.next.map { "/console/events?\(search.link)before=\($0)" }
    }

    private static func choices(_ all: [(id: String, label: String)], _ chosen: String) -> [FieldView.Choice] {
        all.map { FieldView.Choice(id: $0.id, label: $0.label, isChosen: $0.id == chosen) }
    }
}

/// An endpoint in the list.
struct EventEndpointRow: TemplateView {
    let name: String
    /// Its host, and the events that it receives.
    let host: String
    let types: String
    let state: BadgeView
    /// Since when it is disabled.
    let since: RichText?
    let pending: String
    /// When the oldest pending event took place.
    let oldest: RichText?
    let failed: String
    /// The list of those that failed; nil if none did.
    let failedPath: String?
    let mayTest: Bool
    let mayEnable: Bool

    init(_ endpoint: EventEndpointLine, mayRun: Bool, _ time: ConsoleTime) {
        let isKnown = endpoint.host != nil
        name = endpoint.name
        host = endpoint.host ?? "not in the configuration any more"
        types = endpoint.types.joined(separator: ", ")
        state =
            endpoint.disabledAt != nil
            ? BadgeView(word: "Disabled", tone: "bad")
            : isKnown ? BadgeView(word: "Receiving", tone: "good") : BadgeView(word: "Removed", tone: "idle")
        since = endpoint.disabledAt.map { time.live($0, withZone: false) }
        pending = ConsoleTime.number(endpoint.pending)
        oldest = endpoint.oldestPending.map { time.live($0, withZone: false) }
        failed = ConsoleTime.number(endpoint.failed)
        failedPath =
            endpoint.failed > 0 ? "/console/events?endpoint=\(PercentEncoding.encoded(endpoint.name))&state=failed" : nil
        mayTest = mayRun && isKnown && endpoint.disabledAt == nil
        mayEnable = mayRun && isKnown && endpoint.disabledAt != nil
    }
}
