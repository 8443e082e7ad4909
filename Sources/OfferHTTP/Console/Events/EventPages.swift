import Hummingbird
import OfferService

/// The pages about events: the endpoints, what was sent to them, and one delivery.
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
                try await desk.replay(number, by: request.origin, for: visitor.caller)
                return route.pages.redirect(to: "/console/events/\(number)?done=again")
            },
            route.post("/events/endpoints/{name}/test", .eventRuns) { request, visitor, _ in
                _ = try await desk.test(request.parameter("name"), by: request.origin, for: visitor.caller)
                return route.pages.redirect(to: "/console/events?done=test")
            },
            route.post("/events/endpoints/{name}/enable", .eventRuns) { request, visitor, _ in
                try await desk.enable(request.parameter("name"), by: request.origin, for: visitor.caller)
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
