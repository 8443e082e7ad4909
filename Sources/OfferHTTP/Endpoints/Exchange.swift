import NIOCore
import OfferService
import WireText

/// One authenticated request and the way to answer it. Confined to the connection's event loop.
final class Exchange {
    let caller: Caller
    let lane: StoreLane
    private let request: IncomingRequest
    private let gate: Gate
    /// `bundleId` of the body.
    private var appName: String?
    /// `environment` of the body.
    private var environment: App.Environment?
    private var answer: ((Result<Answer, any Error>) -> Void)?
    /// The body, if it was parsed ahead.
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
    /// The client's address, as far as trusted proxies tell it; nil for one that has gone already.
    var address: String? { request.address }
    /// What stands in the path where the operation's path has a parameter.
    var parameter: String? { request.match.parameter }
    var body: ByteBuffer { request.body ?? ByteBuffer() }
    /// The `Idempotency-Key` header as it came.
    var idempotencyKey: String? { request.fields.idempotencyKey }

    /// The app that the request is about, if the caller may act for it: what use cases ask for. The body must have been read.
    func app() throws -> App {
        let scope = request.match.endpoint.app
        return try gate.app(scope, named: scope.isInPath ? parameter : appName, for: caller).app(in: environment)
    }

    /// Who supplies what the request brings along.
    var supplier: Supplier { Supplier(caller, requestID: requestID, address: address) }

    /// Answers, once.
    func reply(_ result: Result<Answer, any Error>) {
        let answer = self.answer
        self.answer = nil
        answer?(result)
    }

    /// Parses the body off the loop, and then goes on; replies for itself if that cannot be done now.
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

    /// Reads the body as one object of these fields.
    func read<Value>(
        fields: [String],
        _ body: (ObjectReader) throws(RequestFault) -> Value
    ) throws(RequestFault) -> Value {
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
    /// In which environment a request is about the app; nil for its own.
    var environment: App.Environment? { optionalChoice("environment") }
}
