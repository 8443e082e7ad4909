import OfferService

/// The page that lists the endpoints and the deliveries.
struct EventsView: PageView {
    static let template = "events"

    /// A sentence about the result of the reader's last action; nil if there was none.
    let done: String?
    let hasEndpoints: Bool
    let endpoints: [EventEndpointRow]
    let names: [FieldView.Choice]
    let states: [FieldView.Choice]
    let type: String
    let heading: String
    let hasRows: Bool
    let rows: [EventRow]
    /// The address of the page with the next older deliveries; nil if there are none.
    let older: String?

    /// - Parameter mayRun: whether the reader may send tests and enable endpoints.
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
    /// The endpoint's host or, if the configuration no longer names the endpoint, a text that says so.
    let host: String
    let types: String
    let state: BadgeView
    /// When the endpoint was disabled; nil if it is enabled.
    let since: RichText?
    let pending: String
    /// When the oldest event that is still to be delivered took place; nil if there is none.
    let oldest: RichText?
    let failed: String
    /// The address of the list of failed deliveries; nil if none has failed.
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
