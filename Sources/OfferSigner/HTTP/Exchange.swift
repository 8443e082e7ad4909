import NIOCore

/// One authenticated request and the way to answer it. Confined to the connection's event loop.
final class Exchange {
    let requestID: String
    let caller: Caller
    /// What stands in the path where the operation's path has a parameter.
    let parameter: String?
    let body: ByteBuffer
    /// The `Idempotency-Key` header as it came.
    let idempotencyKey: String?
    let lane: StoreLane
    private var answer: ((Result<Answer, any Error>) -> Void)?

    init(
        requestID: String,
        caller: Caller,
        parameter: String?,
        body: ByteBuffer,
        idempotencyKey: String?,
        lane: StoreLane,
        answer: @escaping (Result<Answer, any Error>) -> Void
    ) {
        self.requestID = requestID
        self.caller = caller
        self.parameter = parameter
        self.body = body
        self.idempotencyKey = idempotencyKey
        self.lane = lane
        self.answer = answer
    }

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
