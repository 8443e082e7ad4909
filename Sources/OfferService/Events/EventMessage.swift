package import EligibilityRules
package import OfferSigning
package import OfferStore
import WireText

/// An event as it is delivered in a request, in the form of Standard Webhooks 1.0.0.
package struct EventMessage: Sendable {
    /// The size in bytes that a body must stay below.
    static let maxSize = 20_000

    /// The header `webhook-id`, which begins with `msg_` and is the same in every attempt.
    package let id: String
    /// The body of the request: `{"type":…,"timestamp":…,"data":…}`.
    package let body: [UInt8]

    /// Puts the event's data into the body.
    package init(_ event: ServiceEvent) {
        id = "msg_" + event.id.lowerCaseString
        body = JSONWriter.bytes(capacity: event.data.count + 200) { json in
            json.append(raw: #"{"type":"#)
            json.append(event.type)
            json.append(raw: #","timestamp":"#)
            json.append(event.at.iso8601)
            json.append(raw: #","data":"#)
            json.append(json: event.data)
            json.append(raw: "}")
        }
    }

    /// The headers of an attempt, with one signature for each secret.
    package func headers(at now: Instant, by secrets: [WebhookSecret]) throws(SigningError) -> [(name: String, value: String)] {
        let timestamp = "\(now.milliseconds / 1000)"
        let signed = Array("\(id).\(timestamp).".utf8) + body
        var signatures: [String] = []
        for secret in secrets { signatures.append(try secret.sign(signed)) }
        return [
            ("content-type", "application/json"), ("webhook-id", id), ("webhook-timestamp", timestamp),
            ("webhook-signature", signatures.joined(separator: " ")),
        ]
    }
}
