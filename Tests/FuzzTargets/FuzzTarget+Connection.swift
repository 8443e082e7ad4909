import NIOCore
import NIOEmbedded
import NIOHTTP1
import WireText

@testable import OfferHTTP
@testable import OfferService

extension FuzzTarget {
    /// What a client sends on one connection: every answer is whole, none depends on how the bytes were cut, and the connection ends.
    static func serveConnection(_ input: UnsafeBufferPointer<UInt8>) {
        let bytes = ByteBuffer(bytes: input)
        let answers = answers(to: [bytes])
        var rest = bytes
        // Where it is cut depends on the input alone.
        let cut = rest.readSlice(length: input.isEmpty ? 0 : input.reduce(0) { ($0 &* 31 &+ Int($1)) & 0xFFFF } % input.count)!
        precondition(self.answers(to: [cut, rest]) == answers, "the answers depend on how the bytes were cut")
    }

    /// The statuses of the answers to what comes in, one piece after the other, and then no more.
    private static func answers(to pieces: [ByteBuffer]) -> [String] {
        let channel = try! EmbeddedConnection([LivenessController(), ObjectEndpoint()], observer: Silence()).channel
        try! channel.pipeline.syncOperations.addHandler(NotFoundHandler())
        // What is no HTTP is an error in the pipeline, and the handler's to answer.
        for piece in pieces { _ = try? channel.writeInbound(piece) }
        channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        channel.embeddedEventLoop.advanceTime(by: .seconds(10))
        precondition(!channel.isActive, "a connection outlives its client")
        var sent: [UInt8] = []
        while let bytes = try? channel.readOutbound(as: ByteBuffer.self) { sent += bytes.readableBytesView }
        _ = try? channel.finish(acceptAlreadyClosed: true)
        return statuses(in: sent[...])
    }

    /// The statuses of responses that follow each other without a byte between them.
    private static func statuses(in responses: ArraySlice<UInt8>) -> [String] {
        var rest = responses
        var statuses: [String] = []
        while !rest.isEmpty {
            guard rest.starts(with: "HTTP/1.1 ".utf8), let end = rest.firstRange(of: Array("\r\n\r\n".utf8)) else {
                fatalError("an answer has no head")
            }
            let lines = String(decoding: rest[..<end.lowerBound], as: UTF8.self).split(separator: "\r\n")
            statuses.append(String(lines[0].dropFirst(9)))
            rest = rest[end.upperBound...]
            let length = lines.lazy.filter { $0.hasPrefix("Content-Length: ") }.compactMap { Int($0.dropFirst(16)) }.first
            // Neither a `HEAD` nor a go-ahead has a body.
            guard let length, !rest.isEmpty, !rest.starts(with: "HTTP/1.1 ".utf8) else { continue }
            precondition(length <= rest.count, "an answer is cut off")
            precondition((try? JSONValue(parsing: Array(rest.prefix(length)))) != nil, "an answer is no JSON")
            rest = rest.dropFirst(length)
        }
        return statuses
    }

    /// Reads a field of every kind.
    private struct ObjectEndpoint: Endpoint {
        let operation = Operation(
            id: "objects", method: .post, path: "/objects/{id}", access: .open,
            about: Operation.About(
                tag: "", summary: "", text: "",
                body: Operation.Body(
                    NamedSchema(
                        "Object", nil,
                        ["text", "uuid", "number", "flag", "choice", "texts", "jws", "objects"].map { Field($0, .text) })),
                successes: []))
        let app = AppScope.none

        func respond(to exchange: Exchange) {
            exchange.reply(
                Result {
                    try exchange.read {
                        ObjectEndpoint.read($0, depth: 0)
                        $0.check(exchange.parameter, as: "id")
                    }
                    return Answer(status: .ok, body: Array("{}".utf8))
                })
        }

        private static func read(_ reader: ObjectReader, depth: Int) {
            if let text = reader.optionalText("text") { precondition(Identifier.fault(of: text) == nil) }
            _ = reader.optionalUUID("uuid")
            if let number = reader.optionalInteger("number", in: -5...5) { precondition((-5...5).contains(number)) }
            _ = reader.optionalBool("flag")
            let _: SignatureRequest.Form? = reader.optionalChoice("choice")
            _ = reader.optionalTexts("texts", count: 0...3)
            _ = reader.signedData("jws", count: 0...3)
            guard depth < 3, reader.has("objects") else { return }
            for object in reader.objects("objects", count: 1...3, fields: ["text", "objects"]) { read(object, depth: depth + 1) }
        }
    }

    /// Answers what is passed on, as Hummingbird would.
    private final class NotFoundHandler: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundOut = HTTPServerResponsePart

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard case .end = unwrapInboundIn(data) else { return }
            let head = HTTPResponseHead(version: .http1_1, status: .notFound, headers: ["Content-Length": "0"])
            context.write(wrapOutboundOut(.head(head)), promise: nil)
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        }
    }

    private struct Silence: RequestObserver {
        func didFinish(_ summary: RequestSummary) {}
    }
}
