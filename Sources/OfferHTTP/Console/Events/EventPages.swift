import Hummingbird
import OfferService

/// The pages about events: one lists the endpoints and what was sent to them, and one shows a single delivery.
struct EventPages: Sendable {
    private static let rows = 50
    private static let done = [
        "again": "Done: the event is sent again now.", "test": "Done: a test is on its way. It shows below within seconds.",
        "enabled": "Done: the endpoint receives events again.",
    ]

    let route: ConsoleRoute
    let desk: EventDesk

    var routes: [OperationRoute] {
        [
            route.get("/events", .events) { request, visitor in
                let query = try request.query(EventSearch.fields + ["before", "done"])
                return try await list(
                    EventSearch(query), before: query["before"].flatMap { Int64($0) }, done: query["done"], visitor)
            },
            route.get("/events/{number}", .events) { request, visitor in
                let query = try request.query(["done"])
                return try await page(try request.number(), done: query["done"], visitor)
            },
            route.post("/events/{number}/replay", .eventRuns) { request, visitor, _ in
                let number = try request.number()
                try await desk.replay(number, by: visitor.caller, from: request.origin)
                return route.pages.redirect(to: "/console/events/\(number)?done=again")
            },
            route.post("/events/endpoints/{name}/test", .eventRuns) { request, visitor, _ in
                _ = try await desk.test(request.parameter("name"), by: visitor.caller, from: request.origin)
                return route.pages.redirect(to: "/console/events?done=test")
            },
            route.post("/events/endpoints/{name}/enable", .eventRuns) { request, visitor, _ in
                try await desk.enable(request.parameter("name"), by: visitor.caller, from: request.origin)
                return route.pages.redirect(to: "/console/events?done=enabled")
            },
        ]
    }

    private func list(
        _ search: EventSearch,
        before: Int64?,
        done: String?,
        _ visitor: ConsoleVisitor
    ) async throws -> Response {
        let view = EventsView(
            try await desk.page(search.query, before: before, limit: Self.rows, for: visitor.caller), of: search,
            endpoints: try await desk.endpoints(for: visitor.caller), done: done.flatMap { Self.done[$0] },
            mayRun: visitor.caller.role.may(.eventRuns), route.pages.time(for: visitor))
        return route.pages.page(view, title: "Events", at: .events, for: visitor)
    }

    private func page(_ number: Int64, done: String?, _ visitor: ConsoleVisitor) async throws -> Response {
        let (line, attempts) = try await desk.delivery(number, for: visitor.caller)
        let view = EventView(
            line, attempts: attempts, done: done.flatMap { Self.done[$0] }, mayRun: visitor.caller.role.may(.eventRuns),
            route.pages.time(for: visitor))
        return route.pages.page(view, title: "Event", at: .events, for: visitor)
    }
}

/// A search for deliveries, as the page's form sends it.
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

    /// The query string of this search, for links: `endpoint=crm&state=failed&`.
    ///
    /// It ends with `&`, so that a field can follow.
    var link: String {
        Self.fields.compactMap { name in texts[name].map { "\(name)=\(PercentEncoding.encoded($0))&" } }.joined()
    }
}

/// The page about one delivery.
struct EventView: PageView {
    static let template = "event"

    struct Attempt: TemplateView {
        let at: RichText
        let seconds: String
        let outcome: String
    }

    /// A sentence about the result of the reader's last action; nil if there was none.
    let done: String?
    let number: String
    let type: String
    let state: BadgeView
    let endpoint: String
    let at: RichText
    let id: String
    let app: String?
    /// When the event is sent again; nil if it is not.
    let next: RichText?
    let body: String
    let curl: String
    let mayRun: Bool
    let hasAttempts: Bool
    let attempts: [Attempt]

    /// - Parameter mayRun: whether the reader may send the event again.
    init(_ line: EventLine, attempts: [EventAttemptLine], done: String?, mayRun: Bool, _ time: ConsoleTime) {
        self.done = done
        number = "\(line.number)"
        type = line.type
        state = EventWords.badge(line)
        endpoint = line.endpoint
        at = time.at(line.at)
        id = line.id
        app = line.bundleID
        next = line.dueAt.map { time.live($0) }
        body = String(decoding: line.body, as: UTF8.self)
        curl = Self.curl(line)
        self.mayRun = mayRun
        hasAttempts = !attempts.isEmpty
        self.attempts = attempts.map { attempt in
            Attempt(
                at: time.at(attempt.at, withZone: false),
                seconds: "\(attempt.milliseconds / 1000).\(attempt.milliseconds % 1000 / 100)",
                outcome: EventWords.outcome(attempt))
        }
    }

    /// Returns the request as a `curl` command.
    ///
    /// It leaves out the signature, and also the address, which may contain a secret.
    private static func curl(_ line: EventLine) -> String {
        let body = String(decoding: line.body, as: UTF8.self).replacing("'", with: #"'\''"#)
        return """
            curl -X POST "$ENDPOINT_URL" -H 'content-type: application/json' -H 'webhook-id: \(line.id)' \
            -H "webhook-timestamp: $(date +%s)" --data '\(body)'
            """
    }
}
