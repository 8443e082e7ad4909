import NIOCore
import NIOHTTP1

extension Answer {
    /// Returns the whole HTTP/1.1 response to a request, ready for the socket.
    func bytes(to request: IncomingRequest, isLast: Bool, allocator: ByteBufferAllocator) -> ByteBuffer {
        var bytes = head(requestID: request.requestID, allocator: allocator)
        if isLast {
            bytes.writeStaticString("Connection: close\r\n\r\n")
        } else if request.head.version == .http1_0 {
            bytes.writeStaticString("Connection: keep-alive\r\n\r\n")
        } else {
            bytes.writeStaticString("\r\n")
        }
        if request.head.method != .HEAD { bytes.writeBytes(body) }
        return bytes
    }

    /// Returns the last response of a connection, to input that was not a request.
    func bytes(requestID: String, allocator: ByteBufferAllocator) -> ByteBuffer {
        var bytes = head(requestID: requestID, allocator: allocator)
        bytes.writeStaticString("Connection: close\r\n\r\n")
        bytes.writeBytes(body)
        return bytes
    }

    private func head(requestID: String, allocator: ByteBufferAllocator) -> ByteBuffer {
        var bytes = allocator.buffer(capacity: 384 + body.count)
        if status == .ok {
            bytes.writeStaticString("HTTP/1.1 200 OK\r\n")
        } else {
            bytes.writeString("HTTP/1.1 \(status.code) \(status.reasonPhrase)\r\n")
        }
        // An answer without content does not state its length (RFC 9110, 8.6).
        if status != .noContent {
            bytes.writeStaticString("Content-Type: ")
            bytes.writeString(contentType)
            bytes.writeStaticString("\r\nContent-Length: ")
            bytes.writeString(String(body.count))
            bytes.writeStaticString("\r\n")
        }
        bytes.writeStaticString("X-Request-Id: ")
        bytes.writeString(requestID)
        bytes.writeStaticString("\r\nDate: ")
        bytes.writeString(HTTPDate.now())
        bytes.writeStaticString("\r\n")
        for line in headers {
            bytes.writeString(line.name)
            bytes.writeStaticString(": ")
            bytes.writeString(line.value)
            bytes.writeStaticString("\r\n")
        }
        return bytes
    }
}
