import AppStore
import EligibilityRules
import OfferSigning
import OfferStore

/// What an answer about a kept receipt means for the next question.
enum ReceiptCheckResult: Sendable {
    /// The App Store reports what the receipt shows.
    case genuine(ReceiptResponse)
    /// The same receipt would be refused again.
    case refused(reason: String)
    /// This receipt must be asked about later.
    case failed(reason: String)
    /// The App Store was asked about this receipt but did not answer.
    ///
    /// Questions about other receipts must wait for a while.
    case away(reason: String)
    /// The App Store was not asked about this receipt.
    ///
    /// The next question about any receipt must wait until the instant, or for a minute if it is nil.
    case notAsked(until: Instant?)
    /// The app's shared secret is wrong, for every receipt.
    case secretRefused

    /// How long no question is asked for an app with a wrong shared secret, in ms.
    static let secretPause: Int64 = 15 * 60_000
    /// How long no question is asked of a host that limits the rate, in ms.
    private static let hostPause: Int64 = 60_000
    /// The number of failures after which the App Store is not asked again about a receipt that it calls malformed.
    ///
    /// The same status can mean a temporary failure, but most such receipts are malformed, and stay so.
    private static let maxMalformed = 8
    /// The number of failures after which the App Store is not asked again about any other receipt.
    ///
    /// That is 60 days of questions, as long as billing retry lasts.
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
        // One status is about the host; the others are about this receipt.
        case .unavailable where error.appleCode != nil && error.appleCode != Int64(ReceiptStatus.unavailable):
            self = .failed(reason: reason)
        case .malformedAnswer: self = .failed(reason: reason)
        default: self = .away(reason: reason)
        }
    }

    /// The failure to be recorded for a receipt; nil for a genuine one.
    ///
    /// - Parameters:
    ///   - failures: the number of consecutive failures before this question.
    ///   - lastReason: the reason of the last of them.
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

/// The pause after failed questions about a receipt: a minute at first, then twice as long each time, up to six hours.
///
/// Each pause is up to a quarter longer or shorter than that.
enum ReceiptBackOff {
    private static let shortest: Int64 = 60_000
    private static let longest: Int64 = 6 * 3_600_000

    /// The pause in ms, which is always the same for the same arguments.
    ///
    /// It differs between receipts, so that those that failed together are not asked about again together.
    static func pause(after failures: Int, of name: ReceiptName) -> Int64 {
        let pause = min(longest, shortest << Int64(min(max(failures, 1) - 1, 20)))
        let text =
            switch name {
            case .subscription(let id): id
            case .unverified(let digest): Crypto.hexadecimal(digest)
            }
        let hash = Murmur3.hash("\(text):\(failures)")
        return pause * 3 / 4 + pause / 2 * Int64(hash >> 16) / 65_536
    }
}
