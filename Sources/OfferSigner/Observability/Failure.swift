import AppStore
import Logging
import NIOHTTP1
import OfferSigning
import OfferStore

/// Something of the service's own, or of the App Store's, that does not work: operators hear of it whatever the level of the log.
///
/// A class: nearly every record of a request has none.
final class Failure: Sendable {
    /// What does not work.
    enum Subject: String, CaseIterable, Sendable {
        case store, keys, clock
        case appStore = "app-store"
        /// More is asked than is let in at once.
        case load
        case service
    }

    let subject: Subject
    /// Stable; says which failures are the same.
    let code: String
    /// What happened, in plain words, without secrets.
    let reason: String

    init(_ subject: Subject, _ code: String, _ reason: String) {
        self.subject = subject
        self.code = code
        self.reason = reason
    }

    /// `warning` for what is not in our hands, `error` for the rest.
    var level: Logger.Level { subject == .appStore || subject == .load ? .warning : .error }
}

extension Failure: Equatable {
    static func == (left: Failure, right: Failure) -> Bool {
        left.subject == right.subject && left.code == right.code && left.reason == right.reason
    }
}

extension Failure {
    /// What an error tells of; any that is not known is a fault of the service's own.
    convenience init(_ error: any Error) {
        switch error {
        case let error as StoreError: self.init(.store, error.code.rawValue, error.detail)
        case let error as SigningError: self.init(.keys, error.code.rawValue, error.detail)
        case let error as AppStoreError: self.init(.appStore, error.code.rawValue, error.detail)
        case let problem as Problem: self.init(problem.status.code == 503 ? .load : .service, problem.code, problem.detail)
        case IssueError.notReady(let reason, let subject): self.init(subject, "not-ready", reason)
        case HistoryError.appStoreFailed(let code, let detail, _): self.init(.appStore, code, detail)
        case HistoryError.refusedByAppStore(let code, let detail, _): self.init(.appStore, code, detail)
        case HistoryError.notAuthentic(let code, let detail): self.init(Failure.subject(ofSignedData: code), code, detail)
        case HistoryError.signedDataRejected(_, let error):
            self.init(Failure.subject(ofSignedData: error.code.rawValue), error.code.rawValue, error.detail)
        case HistoryError.busy: self.init(.load, "busy", "too many notifications at once")
        default: self.init(.service, "internal-error", "\(error)")
        }
    }

    /// Of an error that answers a request; nil where the caller is to blame.
    static func behind(_ error: any Error, status: UInt) -> Failure? {
        let failure = Failure(error)
        return status >= 500 || failure.subject == .clock ? failure : nil
    }

    // Genuine, and from the future: then it is we who are in the past, and refuse whatever comes.
    private static func subject(ofSignedData code: String) -> Subject {
        code == SignedDataError.Code.signedInFuture.rawValue ? .clock : .appStore
    }
}
