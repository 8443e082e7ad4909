import OfferService
import WireText

/// One operation of the API, as the OpenAPI document describes it.
struct Operation: Sendable {
    enum Method: String { case get, post, put, delete }

    /// An example of a body or an answer: a JSON value, or a text.
    struct Example: Sendable {
        let name: String
        let value: JSONValue

        init(_ name: String, _ json: String) { (self.name, value) = (name, JSONValue(json: json)) }
        init(_ name: String, text: String) { (self.name, value) = (name, .string(text)) }
    }

    /// The body of a request.
    struct Body: Sendable {
        let schema: NamedSchema
        /// The largest body that is read, in bytes.
        let size: Int
        let text: String
        let examples: [Example]

        /// - Parameters:
        ///   - schema: the form of the body. No other members than those of the schema may occur.
        ///   - text: a sentence about the body, which follows the one about its size; nil for the usual one, which says that an
        ///     unknown field is an error.
        init(_ schema: NamedSchema, size: Int = 16 << 10, text: String? = nil, examples: [Example] = []) {
            self.schema = schema
            self.size = size
            let rule = text ?? "An unknown field is an error; `null` for an optional field means that it is absent."
            let limit = size < 1 << 20 ? "\(size >> 10) KiB" : "\(size >> 20) MiB"
            self.text = ["At most \(limit).", rule].filter { !$0.isEmpty }.joined(separator: " ")
            self.examples = examples
        }
    }

    /// A successful answer.
    struct Success: Sendable {
        let status: Int
        let text: String
        /// The form of the answer, for each media type that it can have.
        let content: [(type: String, schema: Schema)]
        /// The names of the headers that this answer has besides those that every answer has.
        let headers: [String]
        /// Whether caches must not store the answer.
        let isPrivate: Bool
        let examples: [Example]

        init(
            _ text: String,
            _ content: [(type: String, schema: Schema)],
            status: Int = 200,
            headers: [String] = [],
            isPrivate: Bool = true,
            examples: [Example] = []
        ) {
            self.status = status
            self.text = text
            self.content = content
            self.headers = headers
            self.isPrivate = isPrivate
            self.examples = examples
        }

        init(
            _ text: String,
            _ name: String,
            status: Int = 200,
            headers: [String] = [],
            isPrivate: Bool = true,
            examples: [Example] = []
        ) {
            self.init(
                text, [("application/json", .named(name))], status: status, headers: headers, isPrivate: isPrivate,
                examples: examples)
        }
    }

    let id: String
    let method: Method
    let path: String
    let access: OperationAccess
    let about: About

    /// The method that an endpoint on the event loop checks for.
    ///
    /// There are endpoints for `GET` and `POST` only.
    var endpointMethod: EndpointMethod {
        switch method {
        case .get: .get
        case .post, .put, .delete: .post
        }
    }

    /// The names of the body's members.
    var fields: [String] { about.fields }

    /// The largest body that is read, in bytes; 0 if no body is read.
    var bodySize: Int { about.bodySize }

    /// The names that the query may have; nil if the query is not read and may have any names.
    ///
    /// It is nil for paths outside of `/v1/`, because probes and scrapers may add a query of their own.
    var queryNames: [String]? {
        guard path.hasPrefix("/v1/") else { return nil }
        return about.parameters.compactMap { key in Parameter.all.first { $0.key == key && $0.place == .query }?.name }
    }

    /// What the OpenAPI document says about the operation.
    ///
    /// It is a class, so that copying an operation costs little. Each request copies the operation when it reads the operation's
    /// access.
    final class About: Sendable {
        let tag: String
        /// What the operation does, in a few words.
        let summary: String
        /// More sentences about the operation.
        ///
        /// The document adds a sentence about who may call the operation.
        let text: String
        /// The parameters, by their names in the document.
        let parameters: [String]
        let body: Body?
        let fields: [String]
        let bodySize: Int
        let successes: [Success]
        /// The names of the shared problems, by status.
        ///
        /// Problems that every operation can answer are left out.
        let problems: [Int: String]

        init(
            tag: String,
            summary: String,
            text: String,
            parameters: [String] = [],
            body: Body? = nil,
            successes: [Success],
            problems: [Int: String] = [:]
        ) {
            self.tag = tag
            self.summary = summary
            self.text = text
            self.parameters = parameters
            self.body = body
            fields = body?.schema.fields ?? []
            bodySize = body?.size ?? 0
            self.successes = successes
            self.problems = problems
        }
    }

    /// A parameter in the path, in the query or in a header.
    struct Parameter: Sendable {
        enum Place: String { case path, query, header }

        /// The name in the document.
        let key: String
        /// The name in requests.
        let name: String
        let place: Place
        let json: JSONValue

        init(
            _ key: String,
            named name: String? = nil,
            in place: Place,
            isRequired: Bool = false,
            _ schema: Schema,
            _ text: String,
            example: JSONValue? = nil
        ) {
            self.key = key
            self.name = name ?? key
            self.place = place
            json = .members([
                "name": .string(self.name), "in": .string(place.rawValue), "required": .bool(isRequired || place == .path),
                "description": .string(text), "schema": schema.json, "example": example,
            ])
        }
    }
}

/// A header of answers.
struct ResponseHeader: Sendable {
    /// The name in the document.
    let key: String
    let json: JSONValue

    init(_ key: String, isRequired: Bool = true, _ schema: Schema, _ text: String, example: JSONValue? = nil) {
        self.key = key
        json = .members([
            "description": .string(text), "required": .bool(isRequired), "schema": schema.json, "example": example,
        ])
    }
}

/// A problem that several operations answer.
struct SharedProblem: Sendable {
    /// Whether the answer reports the caller's rate in its headers: always, only if the caller is known, or never.
    enum Rate { case rated, ratedIfKnown, unrated }

    /// What the service answers in one situation.
    struct Example: Sendable {
        let status: Int
        let code, title, detail: String
        let fields: [(name: String, reason: String)]

        init(_ status: Int, _ code: String, _ title: String, _ detail: String, fields: [(String, String)] = []) {
            self.status = status
            self.code = code
            self.title = title
            self.detail = detail
            self.fields = fields.map { ($0, $1) }
        }
    }

    let name: String
    let rate: Rate
    let text: String
    let codes: [String]
    /// The answer's other headers: the name of each, and the name of its description in the document.
    let headers: KeyValuePairs<String, String>
    let examples: [Example]

    /// - Parameter codes: all codes that the problem can have; nil if the examples show all of them.
    init(
        _ name: String,
        _ rate: Rate,
        _ text: String,
        codes: [String]? = nil,
        headers: KeyValuePairs<String, String> = [:],
        examples: [Example]
    ) {
        self.name = name
        self.rate = rate
        self.text = text
        self.codes = codes ?? examples.map(\.code)
        self.headers = headers
        self.examples = examples
    }
}
