import EligibilityRules
import Logging
import NIOCore
import OfferHTTP
import OfferService
import OfferStore
import WireText

/// The two log lines of a signature: one for the request, one for the audit. Neither contains what was signed.
struct RequestLog: Sendable {
    let sink: LogSink
    let level: LogLevel
    /// Whether each offer has a line.
    let hasOffers: Bool

    /// Writes one line for a request.
    func write(_ summary: RequestSummary) {
        guard level.admits(.info) else { return }
        sink.line { json in
            json.append(raw: #""level":"info","message":"request","requestId":"#)
            json.append(summary.requestID)
            append("method", summary.method, to: &json)
            append("route", summary.route, to: &json)
            json.append(raw: #","status":"#)
            json.append(Int64(summary.status))
            json.append(raw: #","durationMicroseconds":"#)
            json.append(summary.duration.nanoseconds / 1000)
            if let caller = summary.caller { append("caller", caller, to: &json) }
            if let problem = summary.problem { append("problem", problem, to: &json) }
            if let reason = summary.reason { append("reason", reason, to: &json) }
            json.append(raw: "}")
        }
    }

    /// Writes one line for each signature of a request: the caller, the offer and the key. The ledger proves the rest.
    func write(_ entry: LedgerEntry) {
        guard hasOffers else { return }
        let shared = JSONWriter.bytes { shared in
            shared.append(raw: #""level":"info","message":"signed","requestId":"#)
            shared.append(entry.requestID)
            append("caller", entry.caller, to: &shared)
            append("bundleId", entry.partition.name, to: &shared)
            append("keyIdentifier", entry.keyID, to: &shared)
            append("form", entry.form.rawValue, to: &shared)
            shared.append(raw: #","timestamp":"#)
            shared.append(entry.signedAt.milliseconds)
        }
        entry.signatures.withUnsafeBufferPointer { signatures in
            sink.lines(signatures.count) { index, json in
                json.append(json: shared)
                json.append(raw: #","productId":"#)
                json.append(signatures[index].productID)
                json.append(raw: #","offerId":"#)
                json.append(signatures[index].offerID)
                json.append(raw: #","nonce":""#)
                json.append(unquoted: signatures[index].nonce)
                json.append(raw: "\"}")
            }
        }
    }

    /// Writes one line for an item that was not signed: `refused`, or `not-needed`.
    func write(_ refusal: UnsignedOffer, as message: StaticString = "refused") {
        guard hasOffers else { return }
        sink.line { json in
            json.append(raw: #""level":"info","message":""#)
            json.append(raw: message)
            json.append(raw: #"","requestId":"#)
            json.append(refusal.requestID)
            append("caller", refusal.caller, to: &json)
            append("bundleId", refusal.partition.name, to: &json)
            append("productId", refusal.productID, to: &json)
            append("offerId", refusal.offerID, to: &json)
            append("code", refusal.verdict.reason.code, to: &json)
            json.append(raw: "}")
        }
    }

    /// Writes one line for each seal of the audit log. It lets the keeper of the log tell whether the store was changed since.
    func write(seal note: String) {
        sink.line { json in
            json.append(raw: #""level":"info","message":"audit log sealed""#)
            append("note", note, to: &json)
            json.append(raw: "}")
        }
    }

    private func append(_ name: StaticString, _ value: String, to json: inout JSONWriter) {
        json.append(raw: ",\"")
        json.append(raw: name)
        json.append(raw: "\":")
        json.append(value)
    }
}
