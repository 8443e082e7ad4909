import NIOCore
import NIOHTTP1
import WireText

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

    /// Returns the response to input that is not a request.
    ///
    /// It is the last response of its connection.
    func bytes(requestID: String, allocator: ByteBufferAllocator) -> ByteBuffer {
        var bytes = head(requestID: requestID, allocator: allocator)
        bytes.writeStaticString("Connection: close\r\n\r\n")
        bytes.writeBytes(body)
        return bytes
    }

    private func head(requestID: String, allocator: ByteBufferAllocator) -> ByteBuffer {
        var bytes = allocator.buffer(capacity: 384 + body.count)
        // The head is written to the buffer in one piece, because each write takes as long as writing ten more bytes.
        JSONWriter.withBytes({ write(&$0, requestID: requestID) }) { _ = bytes.writeBytes($0) }
        return bytes
    }

    private func write(_ head: inout JSONWriter, requestID: String) {
        if status == .ok {
            head.append(raw: "HTTP/1.1 200 OK")
        } else {
            head.append(unquoted: "HTTP/1.1 \(status.code) \(status.reasonPhrase)")
        }
        // An answer with status 204 must not state a length (RFC 9110, 8.6).
        if status != .noContent {
            head.append(raw: "\r\nContent-Type: ")
            head.append(unquoted: contentType)
            head.append(raw: "\r\nContent-Length: ")
            head.append(Int64(body.count))
        }
        head.append(raw: "\r\nX-Request-Id: ")
        head.append(unquoted: requestID)
        head.append(raw: "\r\nDate: ")
        head.append(unquoted: HTTPDate.now())
        for line in headers {
            head.append(raw: "\r\n")
            head.append(unquoted: line.name)
            head.append(raw: ": ")
            head.append(unquoted: line.value)
        }
        head.append(raw: "\r\n")
    }
}
