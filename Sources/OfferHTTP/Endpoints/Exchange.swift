import NIOCore
import OfferService
import WireText

/// One admitted request and the way to answer it.
///
/// Confined to the connection's event loop.
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
    /// The parsed body, if it was parsed off the loop before the operation began; otherwise nil.
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
    /// The client's address, as far as trusted proxies report it; nil if the client had already gone.
    var address: String? { request.address }
    /// The value of the path's parameter.
    var parameter: String? { request.match.parameter }
    var body: ByteBuffer { request.body ?? ByteBuffer() }
    /// Returns the body, and keeps neither it nor its parsed form here.
    ///
    /// For operations on large bodies, whose memory is then free as soon as the operation has no more use for it.
    func takeBody() -> ByteBuffer {
        parsed = nil
        return request.takeBody()
    }

    /// The `Idempotency-Key` header, unchanged.
    var idempotencyKey: String? { request.fields.idempotencyKey }

    /// Returns the app that the request is about, if the caller may act for it.
    ///
    /// The body must have been read.
    func app() throws -> App {
        let scope = request.match.endpoint.app
        return try gate.app(scope, named: scope.isInPath ? parameter : appName, for: caller).app(in: environment)
    }

    /// The supplier of the data in the request.
    var supplier: Supplier { Supplier(caller, requestID: requestID, address: address) }

    /// Answers the request.
    ///
    /// A second call has no effect.
    func reply(_ result: Result<Answer, any Error>) {
        let answer = self.answer
        self.answer = nil
        answer?(result)
    }

    /// Parses the body off the loop, and then calls `proceed`.
    ///
    /// Replies with an error if too much waits to be parsed.
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
