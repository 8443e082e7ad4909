import NIOCore
import NIOHTTP1
import NIOSSL
import OfferSigningTesting
import Testing

@testable import AppStoreClient

@Suite("The HTTP client", .timeLimit(.minutes(30)))
struct HTTPClientTests {
    private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"

    private func get(_ url: String, by client: HTTPClient = HTTPClient()) async throws -> HTTPClientResponse {
        try await client.send(HTTPClientRequest(.GET, url, headers: [:]), within: .seconds(60), upTo: 1000)
    }

    private func failure(_ url: String, by client: HTTPClient = HTTPClient()) async -> HTTPClientError.Code? {
        do { _ = try await get(url, by: client) } catch { return (error as? HTTPClientError)?.code }
        return nil
    }

    @Test("A connection serves one request after the other, and as many connections as needed at once")
    func reuse() async throws {
        try await RawServer.serve(Self.ok) { server, port in
            let client = HTTPClient(idleTimeout: .hours(1))
            for _ in 1...3 {
                let body = try await get("http://127.0.0.1:\(port)/", by: client).body
                #expect(body == Array("{}".utf8))
            }
            #expect(server.connectionCount == 1)
            try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 1...50 { group.addTask { try await get("http://127.0.0.1:\(port)/", by: client).status } }
                for try await status in group { #expect(status == 200) }
            }
            #expect(server.connectionCount <= 50)
        }
    }

    @Test("A connection without a request is closed")
    func idle() async throws {
        try await RawServer.serve(Self.ok) { server, port in
            let client = HTTPClient(idleTimeout: .milliseconds(20))
            _ = try await get("http://127.0.0.1:\(port)/", by: client)
            while server.openCount > 0 { try await Task.sleep(for: .milliseconds(5)) }
            _ = try await get("http://127.0.0.1:\(port)/", by: client)
            #expect(server.connectionCount == 2)
        }
    }

    @Test(
        "A connection that the server ends is not used again",
        arguments: [
            "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}",
            "HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\n{}",
            "HTTP/1.1 200 OK\r\n\r\n{}",
        ])
    func ended(reply: String) async throws {
        try await RawServer.serve(reply, closes: true) { server, port in
            let client = HTTPClient()
            for _ in 1...3 {
                let body = try await get("http://127.0.0.1:\(port)/", by: client).body
                #expect(body == Array("{}".utf8))
            }
            #expect(server.connectionCount == 3)
        }
    }

    @Test(
        "A response that is cut short, or is none, is a failure of the connection",
        arguments: ["HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\n{}", "HTTP/1.1 200 OK\r\nContent-Le", "", "SSH-2.0-x\r\n\r\n"])
    func broken(reply: String) async throws {
        try await RawServer.serve(reply, closes: true) { _, port in
            #expect(await failure("http://127.0.0.1:\(port)/") == .unreachable)
        }
    }

    @Test("Bytes after a response are not taken for the next one")
    func unasked() async throws {
        try await RawServer.serve(Self.ok + "HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n") { _, port in
            let client = HTTPClient()
            for _ in 1...3 {
                // The connection may end under the next request: then there is no response, but never the wrong one.
                let status = try? await get("http://127.0.0.1:\(port)/", by: client).status
                #expect(status == nil || status == 200)
            }
        }
    }

    @Test(
        "An address that is not accepted is never connected to, whether the URL names it or a name leads to it",
        arguments: ["127.0.0.1", "localhost"])
    func addressRefused(host: String) async throws {
        try await RawServer.serve(Self.ok) { server, port in
            let careful = HTTPClient(accepts: { $0.ipAddress?.hasPrefix("127.") == false && $0.ipAddress != "::1" })
            #expect(await failure("http://\(host):\(port)/", by: careful) == .addressRefused)
            #expect(server.connectionCount == 0)
            let status = try await get("http://\(host):\(port)/", by: HTTPClient(accepts: { _ in true })).status
            #expect(status == 200)
        }
    }

    @Test("A body that is too long is an error, or is cut, as the caller wants")
    func cut() async throws {
        let reply = "HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n" + String(repeating: "x", count: 5000)
        try await RawServer.serve(reply) { server, port in
            let client = HTTPClient()
            #expect(await failure("http://127.0.0.1:\(port)/", by: client) == .tooLong)
            for _ in 1...2 {
                let request = HTTPClientRequest(.GET, "http://127.0.0.1:\(port)/", headers: [:])
                let response = try await client.send(request, within: .seconds(60), upTo: 1000, cutsBody: true)
                #expect(response.status == 200 && response.body.count <= 1000)
            }
            // What is left of a body must not become the next response.
            #expect(server.connectionCount == 3)
        }
    }

    @Test("A redirect is a response like any other")
    func redirect() async throws {
        try await RawServer.serve("HTTP/1.1 302 Found\r\nLocation: /x\r\nContent-Length: 0\r\n\r\n") { _, port in
            let status = try await get("http://127.0.0.1:\(port)/").status
            #expect(status == 302)
        }
    }

    @Test("A server has to show a certificate of the host's name that leads to a trusted root")
    func certificate() async throws {
        let folder = try TemporaryFolder()
        try folder.openssl(
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", "key.pem", "-out",
            "certificate.pem", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost")
        let certificates = try NIOSSLCertificate.fromPEMFile(folder.path("certificate.pem"))
        let tls = try NIOSSLContext(
            configuration: .makeServerConfiguration(
                certificateChain: certificates.map { .certificate($0) },
                privateKey: .privateKey(NIOSSLPrivateKey(file: folder.path("key.pem"), format: .pem))))
        let trusting = HTTPClient(trustRoots: .certificates(certificates))
        try await RawServer.serve(Self.ok, tls: tls) { _, port in
            let status = try await get("https://localhost:\(port)/", by: trusting).status
            #expect(status == 200)
            #expect(await failure("https://127.0.0.1:\(port)/", by: trusting) == .unreachable)
            #expect(await failure("https://localhost:\(port)/") == .unreachable)
        }
    }

    @Test(
        "A URL is taken apart as RFC 3986 has it",
        arguments: [
            (
                "https://api.storekit.apple.com/a/b?c=d%20e", true, "api.storekit.apple.com", 443, "api.storekit.apple.com",
                "/a/b?c=d%20e"
            ),
            ("http://127.0.0.1:8080", false, "127.0.0.1", 8080, "127.0.0.1:8080", "/"),
            ("HTTP://[::1]:81/x", false, "::1", 81, "[::1]:81", "/x"),
            ("https://[2001:db8::1]?q", true, "2001:db8::1", 443, "[2001:db8::1]", "/?q"),
        ])
    func target(url: String, isSecure: Bool, host: String, port: Int, authority: String, path: String) throws {
        let target = try #require(HTTPTarget(url))
        #expect(target.origin == HTTPOrigin(isSecure: isSecure, host: host, port: port))
        #expect(target.authority == authority)
        #expect(target.path == path)
        #expect(target.origin.isAddress == !host.contains("apple"))
    }

    @Test(
        "What is no URL of HTTP is refused",
        arguments: ["ftp://a/b", "//a/b", "https://", "https://user:secret@a/", "a b", "mailto:x"])
    func noTarget(url: String) async {
        #expect(HTTPTarget(url) == nil)
        #expect(await failure(url) == .unreachable)
    }
}
