import NIOCore
import OfferService
import WireText

/// An admitted request, with the function that answers it.
///
/// It may be used on the connection's event loop only.
final class Exchange {
    let caller: Caller
    let lane: StoreLane
    private let request: IncomingRequest
    private let gate: Gate
    /// The `bundleId` of the body.
    private var appName: String?
    /// The `environment` of the body.
    private var environment: App.Environment?
    private var answer: ((Result<Answer, any Error>) -> Void)?
    /// The parsed body, if it was parsed on another thread before the operation began; otherwise nil.
    private var parsed: Result<JSONValue, JSONParser.Fault>?

    init(
        _ request: IncomingRequest,
        caller: Caller,
        gate: Gate,
        lane: StoreLane,
        answer: @escaping (Result<Answer, any Error>) -> Void
    ) {
        self.caller = caller
        self.lane = lane
        self.request = request
        self.gate = gate
        self.answer = answer
    }

    var requestID: String { request.requestID }
    /// The client's address, as trusted proxies report it, or else the address of the connection; nil if the client had already
    /// gone.
    var address: String? { request.address }
    /// The value of the path's parameter.
    var parameter: String? { request.match.parameter }
    var body: ByteBuffer { request.body ?? ByteBuffer() }
    /// Returns the body, and forgets both the body and its parsed form.
    ///
    /// It is for operations on large bodies. The memory is free as soon as the operation does not need the body any more.
    func takeBody() -> ByteBuffer {
        parsed = nil
        return request.takeBody()
    }

    /// The `Idempotency-Key` header, unchanged.
    var idempotencyKey: String? { request.fields.idempotencyKey }

    /// Returns the app that the request is about, if the caller may act for it.
    ///
    /// Call it after `read`, because the body may name the app.
    func app() throws -> App {
        let scope = request.match.endpoint.app
        return try gate.app(scope, named: scope.isInPath ? parameter : appName, for: caller).app(in: environment)
    }

    /// Who has supplied the data in the request, for the store.
    var supplier: Supplier { Supplier(caller, requestID: requestID, address: address) }

    /// Answers the request.
    ///
    /// Only the first call has an effect.
    func reply(_ result: Result<Answer, any Error>) {
        let answer = self.answer
        self.answer = nil
        answer?(result)
    }

    /// Parses the body on another thread, and then calls `proceed`.
    ///
    /// If too many bodies wait to be parsed, it answers with an error instead.
    func parse(then proceed: @escaping () -> Void) {
        lane.examine({ [body] in
            body.withUnsafeReadableBytes { bytes in
                Result { () throws(JSONParser.Fault) in try JSONParser.parse(bytes.bindMemory(to: UInt8.self)) }
            }
        }) { [self] result in
            switch result {
            case .failure(let error): reply(.failure(error))
            case .success(let parsed):
                self.parsed = parsed
                proceed()
            }
        }
    }

    /// Reads the body as one object with the members that the operation declares.
    func read<Value>(_ body: (ObjectReader) throws(RequestFault) -> Value) throws(RequestFault) -> Value {
        let fields = request.match.operation.fields
        let reader = try reader(fields)
        if case .named = request.match.endpoint.app { appName = reader.optionalText("bundleId") }
        if fields.contains("environment") { environment = reader.environment }
        let value = try body(reader)
        try reader.faults.check()
        return value
    }

    private func reader(_ fields: [String]) throws(RequestFault) -> ObjectReader {
        if let parsed {
            switch parsed {
            case .success(let value): return try ObjectReader.read(value, fields: fields)
            case .failure(let fault): throw .malformed(fault)
            }
        }
        let result = body.withUnsafeReadableBytes { bytes in
            Result { () throws(RequestFault) in try ObjectReader.read(bytes.bindMemory(to: UInt8.self), fields: fields) }
        }
        return try result.get()
    }
}

extension ObjectReader {
    /// The environment that the request names; nil if it names none, which means the app's own.
    var environment: App.Environment? { optionalChoice("environment") }
}
