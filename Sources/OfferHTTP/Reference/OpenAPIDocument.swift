import OfferService
import WireText

/// The OpenAPI document, written from the declared operations.
package enum OpenAPIDocument {
    private static let requestID = "6f0c2a1e-8a55-4c0e-9d0a-6c1c0e2f9b11"
    private static let summary = "Signs App Store subscription offers for customers who may have them."
    private static let text = """
        JSON in UTF-8. Times are integers, milliseconds since 1970-01-01T00:00:00Z. Lengths count Unicode scalars. Errors are \
        `application/problem+json` (RFC 9457) with a stable `code`. Every `GET` can be a `HEAD`. A path that is not listed here \
        answers 404 `not-found`; a method that is not listed for its path answers 405 `method-not-allowed` with `Allow`. Codes, \
        states and statuses in answers are open: a later version may add values, and a client must take one that it does not \
        know. `x-known-values` lists those of this version.
        """
    private static let tags: KeyValuePairs = [
        "signing": "Nonces and signatures.",
        "eligibility": "Which offers a customer may have.",
        "diagnosis": "What is wrong with a signature.",
        "history": "Purchase history, from a backend.",
        "customers": "What is known of one customer: facts, what happened, everything, and erasing it.",
        "notifications": "What the App Store sends.",
        "keys": "Signing keys: which one signs, and the states of the others.",
        "access": "Access keys: who may do what.",
        "apps": "The apps of the configuration.",
        "replicas": "The processes that serve the store.",
        "campaigns": "Who is offered what: drafts, reviews, revisions.",
        "audit": "What happened, and whether the log is intact.",
        "events": "Events for the own systems of the company, and their deliveries.",
        "operations": "State of the service. No access key needed.",
    ]

    /// The paths of all operations, as metrics name them.
    package static let routes = Set(Operation.all.map(\.path)).sorted()

    /// Returns the document's JSON text.
    ///
    /// - Parameter version: the version of the program.
    package static func bytes(version: String) -> [UInt8] { Array(json(version: version).indented().utf8) }

    static func json(version: String) -> JSONValue {
        .members([
            "openapi": "3.1.0",
            "info": .members([
                "title": "OfferSigner", "version": .string(version), "summary": .string(summary), "description": .string(text),
            ]),
            "servers": [.members(["url": "/", "description": "This service"])],
            "tags": .array(tags.map { .members(["name": .string($0), "description": .string($1)]) }),
            "paths": paths,
            "components": .members([
                "securitySchemes": securitySchemes,
                "parameters": .object(Operation.Parameter.all.map { JSONValue.Member(name: $0.key, value: $0.json) }),
                "headers": .object(ResponseHeader.all.map { JSONValue.Member(name: $0.key, value: $0.json) }),
                "responses": .object(SharedProblem.all.map { JSONValue.Member(name: $0.name, value: $0.json) }),
                "schemas": .object(NamedSchema.all.map { JSONValue.Member(name: $0.name, value: $0.json) }),
            ]),
            "x-unmatched-requests": .members([
                "unknownPath": .reference("responses", "NotFound"), "unknownMethod": .reference("responses", "MethodNotAllowed"),
                "malformedRequest": .reference("responses", "MalformedRequest"),
            ]),
        ])
    }

    private static var paths: JSONValue {
        var members: [JSONValue.Member] = []
        for operation in Operation.all {
            let own = JSONValue.Member(name: operation.method.rawValue, value: operation.json)
            if let index = members.index(named: operation.path), case .object(let others) = members[index].value {
                members[index] = JSONValue.Member(name: operation.path, value: .object(others + [own]))
            } else {
                members.append(JSONValue.Member(name: operation.path, value: .object([own])))
            }
        }
        return .object(members)
    }

    private static var securitySchemes: JSONValue {
        .members([
            "accessKey": .members([
                "type": "http", "scheme": "bearer", "bearerFormat": "osk_<id>_<secret>",
                "description": """
                An access key, made with `offersigner access create`. It has a role, is for all apps or for named ones, and may \
                expire.
                """,
            ]),
            "endUserToken": .members([
                "type": "http", "scheme": "bearer", "bearerFormat": "JWT",
                "description": """
                A token of the app's own sign-in (RFC 7519), signed with ES256, RS256 or EdDSA by the issuer that the app names \
                in `endUserTokens`. Its `sub` is the customer, whatever the request says. It may do what the role `client` may \
                do here, for the apps of its `aud`, and for this customer only.
                """,
            ]),
        ])
    }

    fileprivate static func examples(_ examples: [Operation.Example]) -> JSONValue? {
        guard !examples.isEmpty else { return nil }
        return .object(examples.map { JSONValue.Member(name: $0.name, value: .members(["value": $0.value])) })
    }

    fileprivate static func json(of example: SharedProblem.Example) -> JSONValue {
        .members([
            "type": .string("https://offersigner.dev/problems/\(example.code)"), "title": .string(example.title),
            "status": .integer(example.status), "code": .string(example.code), "detail": .string(example.detail),
            "requestId": .string(requestID),
            "fields": example.fields.isEmpty
                ? nil : .array(example.fields.map { .members(["name": .string($0.name), "reason": .string($0.reason)]) }),
        ])
    }
}

extension JSONValue {
    fileprivate static func reference(_ kind: String, _ name: String) -> JSONValue {
        .members(["$ref": .string("#/components/\(kind)/\(name)")])
    }

    /// Returns references to headers of the document, by the names that the headers have in answers.
    fileprivate static func headers(_ names: [(name: String, key: String)]) -> JSONValue {
        .object(names.map { Member(name: $0.name, value: .reference("headers", $0.key)) })
    }
}

extension Operation {
    fileprivate var json: JSONValue {
        let roles = access.permission.map { permission in Role.allCases.filter { $0.may(permission) }.map(\.rawValue) }
        let isForUsers = if case .needsOrEndUser = access { true } else { false }
        let callers = roles.map { roles in
            "Roles: \(roles.map { "`\($0)`" }.joined(separator: ", "))."
                + (isForUsers ? " Also open to end users, with a token." : "")
        }
        let schemes = (roles == nil ? [] : ["accessKey"]) + (isForUsers ? ["endUserToken"] : [])
        return .members([
            "operationId": .string(id), "tags": .texts([about.tag]), "summary": .string(about.summary),
            "description": .string([about.text, callers].compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: " ")),
            "x-roles": roles.map(JSONValue.texts),
            "security": .array(schemes.map { .object([JSONValue.Member(name: $0, value: .array([]))]) }),
            "parameters": .array((about.parameters + ["X-Request-Id"]).map { .reference("parameters", $0) }),
            "requestBody": about.body.map { body in
                .members([
                    "required": true, "description": .string(body.text),
                    "content": .members([
                        "application/json": .members([
                            "schema": .reference("schemas", body.schema.name),
                            "examples": OpenAPIDocument.examples(body.examples),
                        ])
                    ]),
                ])
            },
            "responses": answers,
        ])
    }

    private var answers: JSONValue {
        var problems = about.problems.merging([500: "InternalError"]) { own, _ in own }
        if !access.isOpen {
            let isForUsers = if case .needsOrEndUser = access { true } else { false }
            problems.merge([
                400: "BadRequest", 401: isForUsers ? "UserUnauthorized" : "Unauthorized", 403: "Forbidden", 429: "RateLimited",
                503: "NotReady",
            ]) { own, _ in own }
        }
        let good = about.successes.map { JSONValue.Member(name: "\($0.status)", value: $0.json(isRated: !access.isOpen)) }
        let bad = problems.sorted { $0.key < $1.key }.map {
            JSONValue.Member(name: "\($0.key)", value: .reference("responses", $0.value))
        }
        return .object(good + bad)
    }
}

extension Operation.Success {
    fileprivate func json(isRated: Bool) -> JSONValue {
        var names = [(name: "X-Request-Id", key: "X-Request-Id")]
        if isRated { names += [("RateLimit", "RateLimit"), ("RateLimit-Policy", "RateLimitPolicy")] }
        if isPrivate { names.append(("Cache-Control", "NoStore")) }
        names += headers.map { ($0, $0) }
        let content = content.map { type, schema in
            JSONValue.Member(
                name: type,
                value: .members(["schema": schema.json, "examples": OpenAPIDocument.examples(examples)]))
        }
        return .members([
            "description": .string(text), "headers": .headers(names), "content": content.isEmpty ? nil : .object(content),
        ])
    }
}

extension SharedProblem {
    fileprivate var json: JSONValue {
        var names = [(name: "X-Request-Id", key: "X-Request-Id")]
        switch rate {
        case .rated: names += [("RateLimit", "RateLimit"), ("RateLimit-Policy", "RateLimitPolicy")]
        case .ratedIfKnown:
            names += [("RateLimit", "RateLimitIfAuthenticated"), ("RateLimit-Policy", "RateLimitPolicyIfAuthenticated")]
        case .unrated: break
        }
        names += headers.map { ($0, $1) } + [("Cache-Control", "NoStore")]
        return .members([
            "description": .string(text), "x-codes": .texts(codes), "headers": .headers(names),
            "content": .members([
                "application/problem+json": .members([
                    "schema": .reference("schemas", "Problem"),
                    "examples": .object(
                        examples.map {
                            JSONValue.Member(name: $0.code, value: .members(["value": OpenAPIDocument.json(of: $0)]))
                        }),
                ])
            ]),
        ])
    }
}
