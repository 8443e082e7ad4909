import NIOHTTP1
import OfferSigning

/// What goes back to a caller.
struct Answer {
    let status: HTTPResponseStatus
    let body: [UInt8]
    var contentType = "application/json"
    var headers: [HeaderLine] = []

    /// A 200 that holds a signature or a nonce and must not be stored on the way.
    static func secret(_ body: [UInt8], isReplay: Bool = false) -> Answer {
        var headers = [HeaderLine(name: "Cache-Control", value: "no-store")]
        if isReplay { headers.append(HeaderLine(name: "Idempotency-Replayed", value: "true")) }
        return Answer(status: .ok, body: body, headers: headers)
    }

    /// A problem document.
    static func problem(_ problem: Problem, requestID: String) -> Answer {
        var text: [UInt8] = []
        JSONText.append(raw: #"{"type":"#, to: &text)
        JSONText.append("https://offersigner.dev/problems/\(problem.code)", to: &text)
        JSONText.append(raw: #","title":"#, to: &text)
        JSONText.append(problem.title, to: &text)
        JSONText.append(raw: #","status":"#, to: &text)
        JSONText.append(Int64(problem.status.code), to: &text)
        JSONText.append(raw: #","code":"#, to: &text)
        JSONText.append(problem.code, to: &text)
        JSONText.append(raw: #","detail":"#, to: &text)
        JSONText.append(problem.detail, to: &text)
        JSONText.append(raw: #","requestId":"#, to: &text)
        JSONText.append(requestID, to: &text)
        if !problem.fields.isEmpty {
            JSONText.append(raw: #","fields":["#, to: &text)
            for (index, field) in problem.fields.enumerated() {
                JSONText.append(raw: index == 0 ? #"{"name":"# : #",{"name":"#, to: &text)
                JSONText.append(field.name, to: &text)
                JSONText.append(raw: #","reason":"#, to: &text)
                JSONText.append(field.reason, to: &text)
                JSONText.append(raw: "}", to: &text)
            }
            JSONText.append(raw: "]", to: &text)
        }
        JSONText.append(raw: "}", to: &text)
        return Answer(
            status: problem.status, body: text, contentType: "application/problem+json", headers: problem.headers)
    }
}
