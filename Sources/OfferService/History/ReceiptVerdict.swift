import AppStore
import EligibilityRules
import OfferStore

/// What an answer about a kept receipt means for asking again.
enum ReceiptVerdict: Sendable {
    /// The App Store says what it shows.
    case genuine(ReceiptResponse)
    /// The same receipt will be refused again.
    case refused(reason: String)
    /// This receipt is to be asked about later.
    case failed(reason: String)
    /// Nothing is to be asked for a while; this receipt was.
    case away(reason: String)
    /// Nothing is to be asked before an instant; nor was this receipt.
    case notAsked(until: Instant?)
    /// The app's shared secret is wrong: so it is for every receipt.
    case secretRefused

    /// How long nothing is asked of an app whose shared secret is wrong, in ms.
    static let secretPause: Int64 = 15 * 60_000
    /// How long nothing is asked of a host that wants to be left alone, in ms.
    private static let hostPause: Int64 = 60_000
    /// Mostly such a receipt is malformed, and stays so.
    private static let maxMalformed = 8
    /// 60 days of questions, as many as billing retry lasts.
    private static let maxFailures = 250

    /// - Parameter response: what verifyReceipt answered.
    init(_ response: ReceiptResponse, of app: App) {
        let reason = "receipt-status-\(response.status)"
        switch response.status {
        case ReceiptStatus.wrongSecret: self = .secretRefused
        case ReceiptStatus.malformedOrTemporary: self = .failed(reason: reason)
        case _ where !response.isGenuine: self = response.isRetryable ? .failed(reason: reason) : .refused(reason: reason)
        case _ where response.bundleID.map { !$0.utf8.elementsEqual(app.bundleID.utf8) } ?? false:
            self = .refused(reason: "bundle-mismatch")
        case _ where response.environment.map { $0 != app.policy.environment } ?? false:
            self = .refused(reason: "environment-mismatch")
        default: self = .genuine(response)
        }
    }

    /// - Parameter error: why verifyReceipt gave no usable answer.
    init(_ error: AppStoreError) {
        let reason = error.appleCode.map { "receipt-status-\($0)" } ?? error.code.rawValue
        switch error.code {
        case .circuitOpen, .rateLimited, .tokenUnavailable, .cancelled: self = .notAsked(until: error.retryAt)
        // One status is the host's; the others are about this receipt.
        case .unavailable where error.appleCode != nil && error.appleCode != Int64(ReceiptStatus.unavailable):
            self = .failed(reason: reason)
        case .malformedAnswer: self = .failed(reason: reason)
        default: self = .away(reason: reason)
        }
    }

    /// Whether the rest of the app's receipts has to wait.
    var stopsRound: Bool {
        switch self {
        case .away, .notAsked, .secretRefused: true
        case .genuine, .refused, .failed: false
        }
    }

    /// What is to be noted of a receipt; nil for a genuine one.
    ///
    /// - Parameters:
    ///   - failures: questions in a row that failed before this one.
    ///   - lastReason: why the last of them did.
    func failure(after failures: Int, lastReason: String?, of name: ReceiptName, at now: Instant) -> ReceiptFailure? {
        switch self {
        case .genuine: return nil
        case .refused(let reason): return ReceiptFailure(reason: reason, failures: failures + 1, dueAt: nil)
        case .failed(let reason), .away(let reason):
            let isMalformed = reason == "receipt-status-\(ReceiptStatus.malformedOrTemporary)"
            let limit = isMalformed ? Self.maxMalformed : Self.maxFailures
            let pause = ReceiptBackOff.pause(after: failures + 1, of: name)
            return ReceiptFailure(
                reason: reason, failures: failures + 1, dueAt: failures + 1 < limit ? now.advanced(by: pause) : nil)
        case .notAsked(let until):
            let due = max(until ?? now, now.advanced(by: Self.hostPause))
            return ReceiptFailure(reason: lastReason, failures: failures, dueAt: due)
        case .secretRefused:
            return ReceiptFailure(
                reason: "receipt-status-\(ReceiptStatus.wrongSecret)", failures: failures,
                dueAt: now.advanced(by: Self.secretPause))
        }
    }
}
