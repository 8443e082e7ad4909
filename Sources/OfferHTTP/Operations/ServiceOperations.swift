import OfferService
import WireText

extension Operation {
    static let getLiveness = Operation(
        id: "getLiveness", method: .get, path: "/livez", access: .open,
        about: About(
            tag: "operations",
            summary: "Whether the process runs",
            text: "Needs no access key.",
            successes: [
                Success(
                    "The process runs.", "Liveness", isPrivate: false,
                    examples: [
                        Example("alive", #"{"alive": true}"#)
                    ])
            ]))

    static let getReadiness = Operation(
        id: "getReadiness", method: .get, path: "/readyz", access: .open,
        about: About(
            tag: "operations",
            summary: "Whether the service can sign",
            text: "Needs no access key.",
            successes: [
                Success(
                    "The service can sign.", "Ready", isPrivate: false,
                    examples: [
                        Example(
                            "ready",
                            #"""
                            {"ready": true, "checks": [{"name": "keys", "ok": true, "detail": "2 apps, 1 active key each"},
                            {"name": "store", "ok": true, "detail": "writable"}, {"name": "clock", "ok": true,
                            "detail": "in step"}, {"name": "migrations", "ok": true, "detail": "up to date"}]}
                            """#)
                    ]),
                Success(
                    "The service cannot sign now.", "NotReady", status: 503, isPrivate: false,
                    examples: [
                        Example(
                            "store",
                            #"""
                            {"ready": false, "checks": [{"name": "keys", "ok": true, "detail": "2 apps, 1 active key each"},
                            {"name": "store", "ok": false, "detail": "the disk is full"}, {"name": "clock", "ok": true,
                            "detail": "in step"}, {"name": "migrations", "ok": true, "detail": "up to date"}]}
                            """#)
                    ]),
            ]))

    static let getMetrics = Operation(
        id: "getMetrics", method: .get, path: "/metrics", access: .open,
        about: About(
            tag: "operations",
            summary: "Metrics in Prometheus text format",
            text: """
                Needs no access key. The content type is `text/plain; version=0.0.4`. With `metrics.port` it is served on that \
                port only, and 404 on this one.
                """,
            successes: [
                Success(
                    "The metrics.", [("text/plain", .text)], isPrivate: false,
                    examples: [
                        Example("excerpt", text: "# TYPE offersigner_example_total counter\noffersigner_example_total 1\n")
                    ])
            ],
            problems: [404: "NotFound"]))

    static let getOpenAPI = Operation(
        id: "getOpenAPI", method: .get, path: "/openapi.json", access: .open,
        about: About(
            tag: "operations",
            summary: "This document",
            text: "Needs no access key.",
            successes: [
                Success(
                    "This document.",
                    [
                        (
                            "application/json",
                            .object(
                                [
                                    Field("openapi", .text(matching: #"^3\.1\.[0-9]+$"#)),
                                    Field("info", .anyObject),
                                    Field("paths", .anyObject),
                                ], isOpen: true)
                        )
                    ], isPrivate: false)
            ]))

    static let getRoot = Operation(
        id: "getRoot", method: .get, path: "/", access: .open,
        about: About(
            tag: "operations",
            summary: "A page with links to the API's documents and to the console",
            text: "Needs no access key.",
            successes: [
                Success(
                    "The page.", [("text/html", .text)], headers: ["Content-Security-Policy"], isPrivate: false,
                    examples: [
                        Example("excerpt", text: "<!doctype html>\n<html lang=\"en\">")
                    ])
            ]))

    static let getDocs = Operation(
        id: "getDocs", method: .get, path: "/docs", access: .open,
        about: About(
            tag: "operations",
            summary: "The list of operations, as a page to read",
            text: "Needs no access key. It has no script and loads nothing from elsewhere.",
            successes: [
                Success(
                    "The page.", [("text/html", .text)], headers: ["Content-Security-Policy"], isPrivate: false,
                    examples: [
                        Example("excerpt", text: "<!doctype html>\n<html lang=\"en\">")
                    ])
            ]))

    static let getDocsPage = Operation(
        id: "getDocsPage", method: .get, path: "/docs/{page}", access: .open,
        about: About(
            tag: "operations",
            summary: "One operation, or the codes of errors, as a page to read",
            text: "Needs no access key. `/docs` has links to all pages.",
            parameters: ["page"],
            successes: [
                Success(
                    "The page.", [("text/html", .text)], headers: ["Content-Security-Policy"], isPrivate: false,
                    examples: [
                        Example("excerpt", text: "<!doctype html>\n<html lang=\"en\">")
                    ])
            ],
            problems: [404: "NotFound"]))
}

extension NamedSchema {
    static let liveness = NamedSchema(
        "Liveness",
        "The process runs.",
        [
            Field("alive", .always(true))
        ])

    static let ready = NamedSchema(
        "Ready",
        "Every check passes.",
        [
            Field("ready", .always(true)),
            Field("checks", .list(.named("PassedCheck"), from: 1)),
        ])

    static let notReady = NamedSchema(
        "NotReady",
        "At least one check fails.",
        [
            Field("ready", .always(false)),
            Field(
                "checks",
                .list(.named("Check"), from: 1).with(
                    "contains",
                    JSONValue(json: #"{"type": "object", "properties": {"ok": {"const": false}}, "required": ["ok"]}"#))),
        ])

    static let check = NamedSchema(
        "Check",
        "One check.",
        [
            Field("name", .named("CheckName")),
            Field("ok", .flag),
            Field("detail", .text),
        ])

    static let passedCheck = NamedSchema(
        "PassedCheck",
        "A check that passes.",
        [
            Field("name", .named("CheckName")),
            Field("ok", .always(true)),
            Field("detail", .text),
        ])

    static let checkName = NamedSchema(
        "CheckName",
        """
        What is checked. `keys` (apps have active keys, and each signs; `detail` names an app that has none), `store` (it \
        can be written), `clock` (it is not behind the last signature), `migrations` (the store has the schema of this \
        version).
        """,
        .known("keys", "store", "clock", "migrations"))
}
