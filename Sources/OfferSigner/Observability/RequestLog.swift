import EligibilityRules
import Logging
import NIOCore
import OfferSigning
import OfferStore

/// The two lines that a signature leaves in the log: one for the request, one for the audit. Neither holds what was signed.
struct RequestLog: Sendable {
    let sink: LogSink
    let level: Logger.Level

    /// One line a request.
    func write(_ record: RequestRecord) {
        guard level <= .info else { return }
        sink.line { line in
            JSONText.append(raw: #""level":"info","message":"request","requestId":"#, to: &line)
            JSONText.append(record.requestID, to: &line)
            append("method", record.method, to: &line)
            append("route", record.route, to: &line)
            JSONText.append(raw: #","status":"#, to: &line)
            JSONText.append(Int64(record.status), to: &line)
            JSONText.append(raw: #","durationMicroseconds":"#, to: &line)
            JSONText.append(record.duration.nanoseconds / 1000, to: &line)
            if let caller = record.caller { append("caller", caller, to: &line) }
            if let problem = record.problem { append("problem", problem, to: &line) }
            if let reason = record.reason { append("reason", reason, to: &line) }
            JSONText.append(raw: "}", to: &line)
        }
    }

    /// One line for each signature of a request: who had what signed with which key. The ledger proves the rest.
    func write(_ entries: [LedgerEntry]) {
        guard let first = entries.first else { return }
        var shared: [UInt8] = []
        JSONText.append(raw: #""level":"info","message":"signed","requestId":"#, to: &shared)
        JSONText.append(first.requestID, to: &shared)
        append("caller", first.caller, to: &shared)
        append("bundleId", first.bundleID, to: &shared)
        append("keyIdentifier", first.keyID, to: &shared)
        append("form", first.form.rawValue, to: &shared)
        JSONText.append(raw: #","timestamp":"#, to: &shared)
        JSONText.append(first.signedAt.milliseconds, to: &shared)
        sink.lines(entries) { entry, line in
            line += shared
            append("productId", entry.productID, to: &line)
            append("offerId", entry.offerID, to: &line)
            JSONText.append(raw: #","nonce":""#, to: &line)
            entry.nonce.appendLowerCase(to: &line)
            JSONText.append(raw: "\"}", to: &line)
        }
    }

    /// One line a refusal.
    func write(_ refusal: RefusalRecord) {
        sink.line { line in
            JSONText.append(raw: #""level":"info","message":"refused","requestId":"#, to: &line)
            JSONText.append(refusal.requestID, to: &line)
            append("caller", refusal.caller, to: &line)
            append("bundleId", refusal.bundleID, to: &line)
            append("productId", refusal.offer.productID, to: &line)
            append("offerId", refusal.offer.offerID ?? "", to: &line)
            append("code", refusal.offer.code, to: &line)
            JSONText.append(raw: "}", to: &line)
        }
    }

    private func append(_ name: StaticString, _ value: String, to line: inout [UInt8]) {
        JSONText.append(raw: ",\"", to: &line)
        JSONText.append(raw: name, to: &line)
        JSONText.append(raw: "\":", to: &line)
        JSONText.append(value, to: &line)
    }
}
