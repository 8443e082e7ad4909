import HTTPTypes
import Hummingbird
import NIOCore
import WireText

extension JSONValue {
    /// As an answer, which nobody on the way stores.
    func asResponse(_ status: HTTPResponse.Status = .ok) -> Response {
        Response(
            status: status, headers: [.contentType: "application/json", .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }
}
