import AppStore
import EligibilityRules
import OfferSigning
import OfferStore

/// What the answer to a question about a kept receipt means for further questions.
enum ReceiptCheckResult: Sendable {
    /// The App Store has verified the receipt, and reports its purchases.
    case genuine(ReceiptResponse)
    /// The App Store refuses the receipt, and would refuse it again.
    case refused(reason: String)
    /// The question failed, and must be asked again later for this receipt.
    case failed(reason: String)
    /// The App Store was asked about this receipt but gave no answer.
    ///
    /// Questions about other receipts must wait for a while, too.
    case away(reason: String)
    /// The App Store was not asked, because no question is allowed at present.
    ///
    /// The next question about any receipt must wait until the instant. If it is nil, the wait is a minute.
    case notAsked(until: Instant?)
    /// The app's shared secret is wrong, so no receipt of the app can be asked about.
    case secretRefused

    /// How long the service asks no question for an app with a wrong shared secret, in ms.
    static let secretPause: Int64 = 15 * 60_000
    /// How long the service asks no question of a host that limits the rate, in ms.
    private static let hostPause: Int64 = 60_000
    /// After this number of failures the service stops asking about a receipt that the App Store calls malformed.
    ///
    /// The same status can mean a temporary failure. Most such receipts, however, are malformed and remain so.
    private static let maxMalformed = 8
    /// After this number of failures the service stops asking about any other receipt.
    ///
    /// At the longest pause they take 60 days, which is how long billing retry lasts.
    private static let maxFailures = 250

    /// - Parameter response: the answer of verifyReceipt.
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

    /// - Parameter error: why verifyReceipt has given no usable answer.
    init(_ error: AppStoreError) {
        let reason = error.appleCode.map { "receipt-status-\($0)" } ?? error.code.rawValue
        switch error.code {
        case .circuitOpen, .rateLimited, .tokenUnavailable, .cancelled: self = .notAsked(until: error.retryAt)
        // Only one status says that the host is unavailable. All others are about this receipt.
        case .unavailable where error.appleCode != nil && error.appleCode != Int64(ReceiptStatus.unavailable):
            self = .failed(reason: reason)
        case .malformedAnswer: self = .failed(reason: reason)
        default: self = .away(reason: reason)
        }
    }

    /// The failure that is recorded with a receipt; nil if the receipt is genuine.
    ///
    /// - Parameters:
    ///   - failures: how many questions about the receipt in a row had failed before this one.
    ///   - lastReason: the reason of the last of these failures.
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

/// The pause after failed questions about a receipt. It begins with a minute and doubles with each failure, up to six hours.
///
/// Each pause is then made up to a quarter longer or shorter.
enum ReceiptBackOff {
    private static let shortest: Int64 = 60_000
    private static let longest: Int64 = 6 * 3_600_000

    /// The pause in ms. The same arguments always give the same pause.
    ///
    /// It differs from receipt to receipt, so that receipts that failed together are not asked about together again.
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
