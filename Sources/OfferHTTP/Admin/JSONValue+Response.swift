import HTTPTypes
import Hummingbird
import NIOCore
import WireText

extension JSONValue {
    /// As an answer, which nobody on the way stores.
    ///
    /// - Parameter tag: tells this version of what can be changed from others.
    func asResponse(_ status: HTTPResponse.Status = .ok, tag: String? = nil) -> Response {
        var headers: HTTPFields = [.contentType: "application/json", .cacheControl: "no-store"]
        if let tag { headers[.eTag] = tag }
        return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }
}
