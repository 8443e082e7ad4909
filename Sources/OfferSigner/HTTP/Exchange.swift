import NIOCore

/// One authenticated request and the way to answer it. Confined to the connection's event loop.
final class Exchange {
    let caller: Caller
    let lane: StoreLane
    private let request: IncomingRequest
    private var answer: ((Result<Answer, any Error>) -> Void)?

    init(
        _ request: IncomingRequest,
        caller: Caller,
        lane: StoreLane,
        answer: @escaping (Result<Answer, any Error>) -> Void
    ) {
        self.caller = caller
        self.lane = lane
        self.request = request
        self.answer = answer
    }

    var requestID: String { request.requestID }
    /// What stands in the path where the operation's path has a parameter.
    var parameter: String? { request.match.parameter }
    var body: ByteBuffer { request.body ?? ByteBuffer() }
    /// The `Idempotency-Key` header as it came.
    var idempotencyKey: String? { request.fields.idempotencyKey }

    /// Answers, once.
    func reply(_ result: Result<Answer, any Error>) {
        let answer = self.answer
        self.answer = nil
        answer?(result)
    }

    /// Reads the body as one object of these fields.
    func read<Value>(
        fields: [String],
        _ body: (ObjectReader) throws(RequestFault) -> Value
    ) throws(RequestFault) -> Value {
        let result = self.body.withUnsafeReadableBytes { bytes in
            Result { () throws(RequestFault) in try ObjectReader.read(bytes.bindMemory(to: UInt8.self), fields: fields) }
        }
        let reader = try result.get()
        let value = try body(reader)
        try reader.faults.check()
        return value
    }
}
