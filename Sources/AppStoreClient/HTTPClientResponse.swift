import NIOCore
package import NIOHTTP1

/// A complete response of a server.
package struct HTTPClientResponse: Sendable {
    package let status: Int
    package let headers: HTTPHeaders
    package let body: [UInt8]
    /// Whether the server accepts another request on the same connection.
    let keepsConnection: Bool

    init(_ head: HTTPResponseHead, body: ByteBuffer, isCut: Bool = false) {
        status = Int(head.status.code)
        headers = head.headers
        self.body = Array(buffer: body)
        keepsConnection = head.isKeepAlive && !isCut
    }
}
