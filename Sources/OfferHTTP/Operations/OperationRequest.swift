import HTTPTypes
import Hummingbird
import NIOCore
import OfferService
import WireText

/// A request through Hummingbird whose caller was let in, as plain values.
struct OperationRequest: Sendable {
    let caller: Caller
    /// Who is signed in to the console; nil: nobody is.
    let visitor: ConsoleVisitor?
    /// Whom the sign-in proxy names; nil: nobody.
    let person: ProxiedPerson?
    let requestID: String
    /// The client's, as far as trusted proxies tell it.
    let address: String
    /// As the client names the service.
    let host: String
    let headers: HTTPFields
    /// Empty where it is a secret.
    let body: [UInt8]
    /// The body of a route whose body is one.
    let secret: SecretBytes?
    /// Whether the access keys of a role are not taken on this connection, for want of a client certificate.
    let lacksCertificate: @Sendable (Role) -> Bool
    /// Takes what the request costs beyond an ordinary one from the caller's rate; throws if that is used up.
    let charge: @Sendable (_ requests: Int64) throws -> Void
    private let parameters: [String: String]
    private let query: [(name: String, value: String)]

    /// - Parameters:
    ///   - visitor: who is signed in to the console; nil: nobody is.
    ///   - person: whom the sign-in proxy names; nil: nobody.
    ///   - address: the client's.
    ///   - isPage: whether browsers ask for it, whose forms write a space as `+`.
    init(
        _ request: Request,
        _ context: OperationContext,
        caller: Caller,
        visitor: ConsoleVisitor?,
        person: ProxiedPerson?,
        address: String,
        maxBodySize: Int,
        bodyIsSecret: Bool,
        isPage: Bool,
        charge: @escaping @Sendable (Int64) throws -> Void,
        lacksCertificate: @escaping @Sendable (Role) -> Bool = { _ in false }
    ) async throws {
        self.caller = caller
        self.visitor = visitor
        self.person = person
        self.address = address
        self.charge = charge
        self.lacksCertificate = lacksCertificate
        requestID = context.visit.requestID
        host = request.head.authority ?? ""
        headers = request.headers
        parameters = Dictionary(
            context.parameters.map { (String($0.key), $0.value.removingPercentEscapes ?? "") }
        ) { first, _ in first }
        query =
            isPage
            ? FormBody(query: request.uri.query ?? "").fields
            : request.uri.queryParameters.map { (String($0.key), String($0.value)) }
        do {
            let sent = maxBodySize == 0 ? ByteBuffer() : try await request.body.collect(upTo: maxBodySize)
            body = bodyIsSecret ? [] : Array(buffer: sent)
            secret = bodyIsSecret ? try await context.secretBody() : nil
        } catch is NIOTooManyBytesError {
            throw Problem.bodyTooLarge(limit: maxBodySize)
        }
    }

    /// Who asks, for the audit log.
    var origin: Origin { Origin(actor: caller.id, requestID: requestID, address: address) }

    /// What stands in the path for `{name}`.
    func parameter(_ name: String) -> String { parameters[name] ?? "" }

    /// Reads the query, of which these names are known, each once.
    func query(_ names: [String]) throws(RequestFault) -> [String: String] {
        let unknown = query.filter { !names.contains($0.name) }
        guard unknown.isEmpty else {
            let known = names.isEmpty ? "none" : names.joined(separator: ", ")
            throw .unknownFields(unknown.map { FieldFault(name: $0.name, reason: "no such parameter; known: \(known)") })
        }
        let values = Dictionary(query.map { ($0.name, $0.value) }) { first, _ in first }
        guard values.count == query.count else {
            throw .invalidFields(query.map { FieldFault(name: $0.name, reason: "may come once") })
        }
        return values
    }

    /// Lends the body's bytes.
    func withBody<Value, Thrown>(
        _ read: (UnsafeRawBufferPointer) throws(Thrown) -> Value
    ) throws(Thrown) -> Value {
        if let secret { return try secret.withBytes(read) }
        return try body.withUnsafeBufferPointer { bytes throws(Thrown) in try read(UnsafeRawBufferPointer(bytes)) }
    }

    /// Reads the body as one JSON object of these fields.
    func read<Value>(fields: [String], _ read: (ObjectReader) throws -> Value) throws -> Value {
        let reader = try withBody { bytes throws(RequestFault) in
            try ObjectReader.read(bytes.bindMemory(to: UInt8.self), fields: fields)
        }
        let value = try read(reader)
        try reader.faults.check()
        return value
    }
}

extension Substring {
    fileprivate var removingPercentEscapes: String? { PercentEncoding.decoded(self) }
}
