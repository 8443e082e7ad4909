import NIOHTTP1
import OfferService
import WireText

/// An answer to a caller.
struct Answer {
    let status: HTTPResponseStatus
    let body: [UInt8]
    var contentType = "application/json"
    var headers: [HeaderLine] = []

    private static let notStored = HeaderLine(name: "Cache-Control", value: "no-store")

    /// Returns a 200 with a signature or a nonce, which caches must not store.
    ///
    /// - Parameter isReplay: whether it repeats the stored answer to an earlier request with the same idempotency key.
    static func secret(_ body: [UInt8], isReplay: Bool = false) -> Answer {
        var headers = [notStored]
        if isReplay { headers.append(HeaderLine(name: "Idempotency-Replayed", value: "true")) }
        return Answer(status: .ok, body: body, headers: headers)
    }

    /// An answer 204, without content.
    static let nothing = Answer(status: .noContent, body: [], headers: [notStored])

    /// Returns a problem document.
    ///
    /// Its detail may quote a nonce, so caches must not store it either.
    static func problem(_ problem: Problem, requestID: String) -> Answer {
        let text = JSONWriter.bytes { json in
            json.append(raw: #"{"type":"#)
            json.append("https://offersigner.dev/problems/\(problem.code)")
            json.append(raw: #","title":"#)
            json.append(problem.title)
            json.append(raw: #","status":"#)
            json.append(Int64(problem.status.code))
            json.append(raw: #","code":"#)
            json.append(problem.code)
            json.append(raw: #","detail":"#)
            json.append(problem.detail)
            json.append(raw: #","requestId":"#)
            json.append(requestID)
            if !problem.fields.isEmpty {
                json.append(raw: #","fields":["#)
                for (index, field) in problem.fields.enumerated() {
                    json.append(raw: index == 0 ? #"{"name":"# : #",{"name":"#)
                    json.append(field.name)
                    json.append(raw: #","reason":"#)
                    json.append(field.reason)
                    json.append(raw: "}")
                }
                json.append(raw: "]")
            }
            json.append(raw: "}")
        }
        return Answer(
            status: problem.status, body: text, contentType: "application/problem+json",
            headers: problem.headers + [notStored])
    }
}

/// One header of an answer.
struct HeaderLine: Equatable, Sendable {
    let name: String
    let value: String
}
