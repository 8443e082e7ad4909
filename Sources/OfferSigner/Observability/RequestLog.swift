import EligibilityRules
import Logging
import NIOCore
import OfferHTTP
import OfferService
import OfferSigning
import OfferStore
import Synchronization
import WireText

/// Writes the log lines of requests, of their offers and of seals of the audit log.
///
/// No line contains a signature, or names the customer.
struct RequestLog: Sendable {
    let sink: LogSink
    let level: LogLevel
    let offers: OfferLines

    private static let probes = ["/livez", "/readyz", "/metrics"]

    /// Writes one line for a request.
    ///
    /// A probe that succeeded is written at `debug`, because load balancers make one every second.
    func write(_ summary: RequestSummary) {
        let isProbe = summary.method == "GET" && summary.status == 200 && RequestLog.probes.contains(summary.route)
        guard level.admits(isProbe ? .debug : .info) else { return }
        sink.line { json in
            json.append(raw: isProbe ? #""level":"debug""# : #""level":"info""#)
            json.append(raw: #","message":"request","requestId":"#)
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

    /// Writes one line for each signature of a request: the caller, the offer, the key and the nonce.
    func write(_ entry: LedgerEntry) {
        guard offers.admitGrants(of: entry.request.id) else { return }
        let shared = JSONWriter.bytes { shared in
            shared.append(raw: #""level":"info","message":"signed","requestId":"#)
            shared.append(entry.request.id)
            append("caller", entry.request.caller, to: &shared)
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

    /// Writes one line for an offer that was refused.
    func write(refusal: UnsignedOffer) {
        guard offers.admitRefusals else { return }
        write(refusal, as: "refused")
    }

    /// Writes one line for an override that is granted without a signature, because it is not needed.
    func write(unneeded item: UnsignedOffer) {
        guard offers.admitGrants(of: item.requestID) else { return }
        write(item, as: "not-needed")
    }

    private func write(_ item: UnsignedOffer, as message: StaticString) {
        sink.line { json in
            json.append(raw: #""level":"info","message":""#)
            json.append(raw: message)
            json.append(raw: #"","requestId":"#)
            json.append(item.requestID)
            append("caller", item.caller, to: &json)
            append("bundleId", item.partition.name, to: &json)
            append("productId", item.productID, to: &json)
            append("offerId", item.offerID, to: &json)
            append("code", item.verdict.reason.code, to: &json)
            json.append(raw: "}")
        }
    }

    /// Writes one line with number and digest of a seal of the audit log, at any level.
    ///
    /// With the line, a person who keeps the log elsewhere can find out whether the store was changed since. At `debug` it also
    /// has the whole seal, as it is in the store.
    func write(seal note: String) {
        sink.line { json in
            json.append(raw: #""level":"info","message":"audit log sealed","seal":"#)
            json.append(AuditSeal.number(in: note))
            append("sha256", Crypto.hexadecimal(Crypto.sha256(note.utf8)), to: &json)
            if level.admits(.debug) { append("note", note, to: &json) }
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

/// Decides which offers have a line in the log. The extent may change while the service runs.
final class OfferLines: Sendable {
    private static let extents = LoggedOffers.allCases
    private static let sampledOneIn: UInt = 100

    private let index: Atomic<Int>

    init(_ extent: LoggedOffers) { index = Atomic(OfferLines.index(of: extent)) }

    var extent: LoggedOffers { OfferLines.extents[index.load(ordering: .relaxed)] }

    /// Whether refusals are logged.
    var admitRefusals: Bool { extent != .off }

    /// Whether the granted offers of a request are logged, which is decided for all of them together.
    func admitGrants(of requestID: String) -> Bool {
        switch extent {
        case .full: true
        // The seed of the hash differs from process to process, so that no caller can choose a request id that is never logged.
        case .sampled: UInt(bitPattern: requestID.hashValue) % OfferLines.sampledOneIn == 0
        case .off: false
        }
    }

    func change(to extent: LoggedOffers) { index.store(OfferLines.index(of: extent), ordering: .relaxed) }

    private static func index(of extent: LoggedOffers) -> Int { extents.firstIndex(of: extent)! }
}
