import HTTPTypes
import Hummingbird
import NIOCore
import WireText

extension JSONValue {
    /// Returns the value as an answer that caches must not store.
    ///
    /// - Parameter tag: the value of the header `ETag`; nil if the answer has none.
    func asResponse(_ status: HTTPResponse.Status = .ok, tag: String? = nil) -> Response {
        var headers: HTTPFields = [.contentType: "application/json", .cacheControl: "no-store"]
        if let tag { headers[.eTag] = tag }
        return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }
}
