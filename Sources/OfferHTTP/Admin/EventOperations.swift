import OfferService
import WireText

extension Operation {
    static let listEvents = Operation(
        id: "listEvents", method: .get, path: "/v1/admin/events", access: .needs(.events),
        about: About(
            tag: "events",
            summary: "List events that were sent",
            text: "Deliveries, the latest first. A caller with some apps sees theirs.",
            parameters: ["eventEndpoint", "eventType", "eventState", "eventCustomerId", "before", "limit"],
            successes: [
                Success("The deliveries.", "EventDeliveries")
            ]))

    static let listEventEndpoints = Operation(
        id: "listEventEndpoints", method: .get, path: "/v1/admin/events/endpoints", access: .needs(.events),
        about: About(
            tag: "events",
            summary: "List the endpoints",
            text: "Those that are configured, and those that still have deliveries.",
            parameters: ["limit", "after"],
            successes: [
                Success("The endpoints.", "EventEndpoints")
            ]))

    static let testEventEndpoint = Operation(
        id: "testEventEndpoint", method: .post, path: "/v1/admin/events/endpoints/{name}/test", access: .needs(.eventRuns),
        about: About(
            tag: "events",
            summary: "Send a test",
            text: "An event of the type `endpoint.test`, which means nothing.",
            parameters: ["endpointName"],
            successes: [
                Success("It is on its way.", "EventTest")
            ],
            problems: [404: "UnknownEndpoint"]))

    static let enableEventEndpoint = Operation(
        id: "enableEventEndpoint", method: .post, path: "/v1/admin/events/endpoints/{name}/enable", access: .needs(.eventRuns),
        about: About(
            tag: "events",
            summary: "Enable an endpoint",
            text: "It answered 410 before; what waits is sent first.",
            parameters: ["endpointName"],
            successes: [
                Success("It receives events again.", "EventEndpointEnabled")
            ],
            problems: [404: "UnknownEndpoint"]))

    static let getEvent = Operation(
        id: "getEvent", method: .get, path: "/v1/admin/events/{number}", access: .needs(.events),
        about: About(
            tag: "events",
            summary: "Show a delivery",
            text: "Its body, with masked ids, and its attempts.",
            parameters: ["eventNumber"],
            successes: [
                Success("The delivery.", "EventDeliveryDetail")
            ],
            problems: [404: "UnknownEvent"]))

    static let replayEvent = Operation(
        id: "replayEvent", method: .post, path: "/v1/admin/events/{number}/replay", access: .needs(.eventRuns),
        about: About(
            tag: "events",
            summary: "Send an event again",
            text: "With the same `webhook-id`, as if there had been no attempt.",
            parameters: ["eventNumber"],
            successes: [
                Success("It is sent again.", "EventReplay")
            ],
            problems: [404: "UnknownEvent"]))
}

extension NamedSchema {
    static let eventAttempt = NamedSchema(
        "EventAttempt",
        "An attempt to deliver an event.",
        [
            Field("at", .integer(0...), "When it began.", example: 1_795_000_000_000),
            Field("milliseconds", .integer(0...), "How long it took."),
            Field("status", .integer.orNull, "The status of the answer; null without an answer."),
            Field("fault", .text.orNull, "Why it failed; null for a success."),
        ])

    static let eventDelivery = NamedSchema(
        "EventDelivery",
        "The delivery of an event to one endpoint.",
        [
            Field("number", .integer(1...), "Identifies the delivery."),
            Field("endpoint", .text, "Whom it is for."),
            Field("id", .text, "The header `webhook-id`."),
            Field("type", .text, "The type of the event.", example: "offer.signed"),
            Field("at", .integer(0...), "When the event took place.", example: 1_795_000_000_000),
            Field("bundleId", .text.orNull, "The app; null: none in particular."),
            Field(
                "environment", .known("Sandbox", "Xcode").orNull,
                "`Sandbox` or `Xcode` where it happened in that environment, beside the app's own."),
            Field("customerId", .text.orNull, "The masked id of the customer; null: none."),
            Field("state", .known("pending", "delivered", "failed"), "How far it is."),
            Field("attempts", .integer(0...), "How often it was tried since it was last made pending."),
            Field("dueAt", .integer.orNull, "When it is tried next; null unless it is pending."),
            Field("lastAttempt", .anyOf(.named("EventAttempt"), .null), "The last attempt; null before the first."),
        ])

    static let eventDeliveries = NamedSchema(
        "EventDeliveries",
        "Deliveries, the latest first.",
        [
            Field("items", .list(.named("EventDelivery")), "The deliveries."),
            Field("next", .integer.orNull, "What to give as `before` for the rest; null where there is none."),
        ])

    static let eventDeliveryDetail = NamedSchema(
        "EventDeliveryDetail",
        "A delivery with its body and its attempts.",
        [
            Field("number", .integer(1...), "Identifies the delivery."),
            Field("endpoint", .text, "Whom it is for."),
            Field("id", .text, "The header `webhook-id`."),
            Field("type", .text, "The type of the event.", example: "offer.signed"),
            Field("at", .integer(0...), "When the event took place.", example: 1_795_000_000_000),
            Field("bundleId", .text.orNull, "The app; null: none in particular."),
            Field(
                "environment", .known("Sandbox", "Xcode").orNull,
                "`Sandbox` or `Xcode` where it happened in that environment, beside the app's own."),
            Field("customerId", .text.orNull, "The masked id of the customer; null: none."),
            Field("state", .known("pending", "delivered", "failed"), "How far it is."),
            Field("attempts", .integer(0...), "How often it was tried since it was last made pending."),
            Field("dueAt", .integer.orNull, "When it is tried next; null unless it is pending."),
            Field("lastAttempt", .anyOf(.named("EventAttempt"), .null), "The last attempt; null before the first."),
            Field("body", .anyObject.with("additionalProperties", true), "What is sent, with masked ids."),
            Field("attemptList", .list(.named("EventAttempt")), "The attempts, the oldest first."),
        ])

    static let eventEndpoint = NamedSchema(
        "EventEndpoint",
        "A system that receives events.",
        [
            Field("name", .text, "Its name in the configuration."),
            Field("host", .text.orNull, "Scheme and host of its URL; null: it is not configured any more."),
            Field("types", .list(.text), "The events that it receives."),
            Field("apps", .list(.text).orNull, "The apps; null: all."),
            Field("disabledAt", .integer.orNull, "When it answered 410; null while it receives events."),
            Field("pending", .integer(0...), "How many deliveries are pending."),
            Field("failed", .integer(0...), "How many have failed."),
            Field("oldestPending", .integer.orNull, "When the oldest pending event took place; null without one."),
            Field("publicKeys", .list(.text), "The public halves (`whpk_…`) of its `v1a` keys."),
        ])

    static let eventEndpoints = NamedSchema(
        "EventEndpoints",
        "The systems that receive events.",
        [
            Field("items", .list(.named("EventEndpoint")), "The endpoints, by name."),
            .next,
        ])

    static let eventReplay = NamedSchema(
        "EventReplay",
        "The event is sent again.",
        [
            Field("status", .always("pending"))
        ])

    static let eventTest = NamedSchema(
        "EventTest",
        "A test is on its way.",
        [
            Field("status", .always("pending")),
            Field("id", .text, "Its `webhook-id`."),
        ])

    static let eventEndpointEnabled = NamedSchema(
        "EventEndpointEnabled",
        "The endpoint receives events again.",
        [
            Field("status", .always("enabled"))
        ])
}
