import EligibilityRules
import HTTPTypes
import Hummingbird
import NIOCore
import WireText

extension JSONValue {
    /// An object; members that are nil are left out.
    static func members(_ members: KeyValuePairs<String, JSONValue?>) -> JSONValue {
        .object(members.compactMap { name, value in value.map { Member(name: name, value: $0) } })
    }

    /// A text, or null.
    static func text(_ text: String?) -> JSONValue { text.map(JSONValue.string) ?? .null }

    /// Milliseconds since 1970, or null.
    static func instant(_ instant: Instant?) -> JSONValue { instant.map { .number("\($0.milliseconds)") } ?? .null }

    /// A list of texts.
    static func texts(_ texts: some Sequence<String>) -> JSONValue { .array(texts.map(JSONValue.string)) }

    /// As an answer, which nobody on the way stores.
    func asResponse(_ status: HTTPResponse.Status = .ok) -> Response {
        Response(
            status: status, headers: [.contentType: "application/json", .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }
}
