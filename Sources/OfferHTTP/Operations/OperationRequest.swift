import EligibilityRules
import HTTPTypes
import Hummingbird
import NIOCore
import OfferService
import WireText

/// An admitted request that Hummingbird has routed, as plain values.
struct OperationRequest: Sendable {
    let caller: Caller
    /// The user who is signed in to the console; nil if none is.
    let visitor: ConsoleVisitor?
    /// The person whom the sign-in proxy names; nil if it names none.
    let person: ProxiedPerson?
    let requestID: String
    /// The client's address, as trusted proxies report it, or else the address of the connection.
    let address: String
    /// The host name under which the client has sent the request.
    let host: String
    let headers: HTTPFields
    /// The body; empty if the route's body is secret.
    let body: [UInt8]
    /// The body, if the route's body is secret; otherwise nil.
    let secret: SecretBytes?
    /// Whether a role's access keys need a client certificate that this connection lacks.
    let lacksCertificate: @Sendable (Role) -> Bool
    /// Counts for the caller's rate what the request costs more than an ordinary one.
    ///
    /// Throws if the rate is used up.
    let charge: @Sendable (_ requests: Int64) throws -> Void
    private let fields: [String]
    private let parameters: [String: String]
    private let sent: [(name: String, value: String)]
    /// The values of the query, by name.
    ///
    /// It is filled only if the operation declares the names that may occur. Each of them may occur once.
    private(set) var query: [String: String] = [:]

    /// Reads the body.
    ///
    /// - Parameters:
    ///   - visitor: the user who is signed in to the console; nil if none is.
    ///   - person: the person whom the sign-in proxy names; nil if it names none.
    ///   - certificate: the expiry of the client's certificate; nil if the client presented none.
    init(
        _ request: Request,
        _ context: OperationContext,
        to route: OperationRoute,
        _ admission: Gate.Admission,
        visitor: ConsoleVisitor?,
        person: ProxiedPerson?,
        certificate: Instant?,
        _ gate: Gate
    ) async throws {
        caller = admission.caller
        fields = route.fields
        self.visitor = visitor
        self.person = person
        address = gate.clientAddress(request, peer: context.peer)
        charge = { try route.charge(admission, requests: $0, context.visit, gate) }
        lacksCertificate = { gate.lacksCertificate($0) { certificate } }
        requestID = context.visit.requestID
        host = request.head.authority ?? ""
        headers = request.headers
        parameters = Dictionary(
            context.parameters.map { (String($0.key), $0.value.removingPercentEscapes ?? "") }
        ) { first, _ in first }
        // Browsers write a space in a form as `+`.
        sent =
            route.pages != nil
            ? FormBody(query: request.uri.query ?? "").fields
            : request.uri.queryParameters.map { (String($0.key), String($0.value)) }
        try FieldFault.checkNull(parameters.map { ($0.key, $0.value) } + sent.map { ($0.name, $0.value) })
        do {
            let sent = route.maxBodySize == 0 ? ByteBuffer() : try await request.body.collect(upTo: route.maxBodySize)
            body = route.bodyIsSecret ? [] : Array(buffer: sent)
            secret = route.bodyIsSecret ? try await context.secretBody() : nil
        } catch is NIOTooManyBytesError {
            throw Problem.bodyTooLarge(limit: route.maxBodySize)
        }
    }

    /// The origin of the request, for the audit log.
    var origin: Origin { Origin(actor: caller.id, requestID: requestID, address: address) }

    /// Returns the value of `{name}` in the path.
    func parameter(_ name: String) -> String { parameters[name] ?? "" }

    /// Returns the same request with `query` filled.
    ///
    /// Throws if the query has other names, or has a name twice.
    func read(queryOf names: [String]) throws(RequestFault) -> OperationRequest {
        var request = self
        request.query = try query(names)
        return request
    }

    /// Reads the query.
    ///
    /// Throws if the query has other names than these, or has a name twice.
    func query(_ names: [String]) throws(RequestFault) -> [String: String] {
        let unknown = sent.filter { !names.contains($0.name) }
        guard unknown.isEmpty else {
            let known = names.isEmpty ? "none" : names.joined(separator: ", ")
            throw .unknownFields(unknown.map { FieldFault(name: $0.name, reason: "no such parameter; known: \(known)") })
        }
        let values = Dictionary(sent.map { ($0.name, $0.value) }) { first, _ in first }
        guard values.count == sent.count else {
            throw .invalidFields(sent.map { FieldFault(name: $0.name, reason: "must be given at most once") })
        }
        return values
    }

    /// The form in the body.
    var form: FormBody {
        get throws(RequestFault) {
            let form = withBody { FormBody($0, contentType: headers[.contentType] ?? "") }
            try FieldFault.checkNull(form.fields.map { ($0.name, $0.value) })
            return form
        }
    }

    /// Calls `read` with the bytes of the body.
    func withBody<Value, Thrown>(
        _ read: (UnsafeRawBufferPointer) throws(Thrown) -> Value
    ) throws(Thrown) -> Value {
        if let secret { return try secret.withBytes(read) }
        return try body.withUnsafeBufferPointer { bytes throws(Thrown) in try read(UnsafeRawBufferPointer(bytes)) }
    }

    /// Reads the body as one JSON object with the members that the operation declares.
    func read<Value>(_ read: (ObjectReader) throws -> Value) throws -> Value {
        let reader = try withBody { bytes throws(RequestFault) in
            try ObjectReader.read(bytes.bindMemory(to: UInt8.self), fields: fields)
        }
        let value = try read(reader)
        try reader.faults.check()
        return value
    }
}

extension FieldFault {
    /// Throws if a text has U+0000.
    ///
    /// PostgreSQL cannot keep that character in a text. It is refused here, so that the answer does not depend on the store.
    fileprivate static func checkNull(_ fields: [(String, String)]) throws(RequestFault) {
        let faults = fields.filter { $0.1.utf8.contains(0) }.map { FieldFault(name: $0.0, reason: "contains U+0000") }
        if !faults.isEmpty { throw .invalidFields(faults) }
    }
}

extension Substring {
    fileprivate var removingPercentEscapes: String? { PercentEncoding.decoded(self) }
}
