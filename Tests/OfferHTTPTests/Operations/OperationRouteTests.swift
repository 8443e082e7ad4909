import Dispatch
import Glibc
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOEmbedded
import OfferStore
import Synchronization
import Testing

@testable import OfferHTTP
@testable import OfferService

@Suite("Operations through Hummingbird")
struct OperationRouteTests {
    private let fixture = GateFixture()
    private let observer = RecordingObserver()

    /// `GET /open`, which any caller may, and `PUT /keys/{id}`, which needs the permission to supply history.
    private func asked(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ token: String? = nil,
        lists: BoundedExecutor = BoundedExecutor(threads: 1, limit: 9, refusal: CustomerError.busy)
    ) async throws -> Answered {
        let router = Router(context: OperationContext.self, options: .autoGenerateHeadEndpoints)
        let routes: [OperationRoute] = [
            OperationRoute(path: "/open", access: .open) { request in
                Response(status: .ok, body: ResponseBody(byteBuffer: ByteBuffer(string: request.caller.id)))
            },
            OperationRoute(path: "/keys/{id}", method: .put, access: .needs(.history)) { request in
                Response(status: .created, body: ResponseBody(byteBuffer: ByteBuffer(string: request.caller.id)))
            },
            OperationRoute(path: "/revoke", access: .needs(.keys)) { _ in Response(status: .ok) },
            OperationRoute(path: "/list", access: .needs(.audit)) { _ in
                let here = Self.niceness
                return Response(
                    status: .ok,
                    body: ResponseBody { writer in
                        try await writer.write(ByteBuffer(string: "\(here) \(Self.niceness)"))
                        try await writer.finish(nil)
                    })
            },
        ]
        router.middlewares.add(OperationsMiddleware(observer: observer, gate: fixture.gate, routes: routes))
        for route in routes { route.add(to: router, fixture.gate, lists: lists) }
        let headers: HTTPFields = [
            .init("X-Request-Id")!: "request", .authorization: token.map { "Bearer \($0)" } ?? "Basic eDp5",
        ]
        let request = Request(
            head: HTTPRequest(method: method, scheme: "http", authority: "x", path: path, headerFields: headers),
            body: RequestBody(buffer: ByteBuffer()))
        let source = ApplicationRequestContextSource(channel: NIOAsyncTestingChannel(), logger: Logger(label: "test"))
        let response = try await router.buildResponder().respond(to: request, context: OperationContext(source: source))
        let body = CollectedBody()
        try await response.body.write(body)
        return Answered(status: response.status, headers: response.headers, body: body.buffer)
    }

    @Test("What is open needs no key, and is recorded without a caller")
    func open() async throws {
        let token = try await fixture.key(.client)
        for response in [try await asked(.get, "/open"), try await asked(.get, "/open", token)] {
            #expect(response.status == .ok)
            #expect(response.headers[.init("RateLimit")!] == nil)
            #expect(response.headers[.init("X-Request-Id")!] == "request")
        }
        #expect(try await asked(.head, "/open").body.readableBytes == 0)
        #expect(observer.records == ["GET /open 200", "GET /open 200", "HEAD /open 200"])
    }

    private static var niceness: Int32 { getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0) }

    @Test("A list is made and written on the threads of lists, and what is urgent is answered while these are taken")
    func lanes() async throws {
        let lists = BoundedExecutor(threads: 1, limit: 2, niceness: 7, refusal: CustomerError.busy)
        let token = try await fixture.key(.security)
        #expect(String(buffer: try await asked(.get, "/list", token, lists: lists).body) == "7 7")
        let goesOn = DispatchSemaphore(value: 0)
        // The only thread is taken.
        let taken = Task(executorPreference: lists) { goesOn.waitHere() }
        let waiting = Task { try await asked(.get, "/list", fixture.key(.security), lists: lists) }
        for _ in 0..<2 { #expect(try await asked(.get, "/revoke", token, lists: lists).status == .ok) }
        goesOn.signal()
        #expect(try await waiting.value.status == .ok)
        await taken.value
    }

    @Test("What needs a permission is behind the gate of the API: the same answers, the same record")
    func gated() async throws {
        let (client, backend) = (try await fixture.key(.client), try await fixture.key(.backend))
        let keys = [nil, "nonsense", client, backend]
        let responses = try await keys.asyncMap { try await asked(.put, "/keys/7", $0) }
        #expect(responses.map(\.status.code) == [401, 401, 403, 201])
        #expect(responses.map { $0.headers[.init("RateLimit")!] } == [nil, nil, #""default";r=2;t=1"#, #""default";r=2;t=1"#])
        #expect(responses[0].headers[.wwwAuthenticate] == #"Bearer realm="offersigner""#)
        #expect(responses[2].headers[.contentType] == "application/problem+json")
        #expect(String(buffer: responses[2].body).contains(#""code":"forbidden""#))
        let id = try #require(AccessToken(backend[...])).id
        #expect(String(buffer: responses[3].body) == id)
        let clientID = try #require(AccessToken(client[...])).id
        #expect(
            observer.records == [
                "PUT /keys/{id} 401 unauthorized", "PUT /keys/{id} 401 unauthorized", "PUT /keys/{id} 403 forbidden \(clientID)",
                "PUT /keys/{id} 201 \(id)",
            ])
    }

    @Test("A caller that asks too often gets an error that says so")
    func rate() async throws {
        var codes: [Int] = []
        // On a busy machine four requests may take more than the second in which one more is allowed.
        for _ in 0..<20 where codes.last != 429 {
            let token = try await fixture.key(.backend)
            codes = []
            for _ in 0..<4 { codes.append(try await asked(.put, "/keys/7", token).status.code) }
        }
        #expect(codes == [201, 201, 201, 429])
    }

    @Test("Nothing is served that has not declared who may call it")
    func undeclared() async throws {
        let token = try await fixture.key(.admin)
        #expect(try await asked(.get, "/keys", token).status == .notFound)
        #expect(try await asked(.post, "/open", token).status == .methodNotAllowed)
        #expect(observer.records == ["GET other 404 not-found", "POST /open 405 method-not-allowed"])
    }

    private struct Answered {
        let status: HTTPResponse.Status
        let headers: HTTPFields
        let body: ByteBuffer
    }

    private final class CollectedBody: ResponseBodyWriter {
        private let written = Mutex(ByteBuffer())

        var buffer: ByteBuffer { written.withLock { $0 } }

        func write(_ part: ByteBuffer) async throws { written.withLock { _ = $0.writeImmutableBuffer(part) } }

        func finish(_ trailingHeaders: HTTPFields?) async throws {}
    }

    /// What was recorded of finished requests.
    private final class RecordingObserver: RequestObserver {
        private let state = Mutex<[String]>([])

        var records: [String] { state.withLock { $0 } }

        func didFinish(_ record: RequestSummary) {
            let words = [record.method, record.route, "\(record.status)", record.problem, record.caller]
            state.withLock { $0.append(words.compactMap(\.self).joined(separator: " ")) }
        }
    }
}

extension DispatchSemaphore {
    /// Waits on the thread of a task, as work that takes long does.
    fileprivate func waitHere() { wait() }
}

extension Sequence {
    fileprivate func asyncMap<Value>(_ body: (Element) async throws -> Value) async rethrows -> [Value] {
        var values: [Value] = []
        for element in self { values.append(try await body(element)) }
        return values
    }
}
