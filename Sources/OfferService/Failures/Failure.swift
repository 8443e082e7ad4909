package import Logging

/// A failure of the service or of the App Store, which is reported to operators at any level of the log.
///
/// A class, because nearly every record of a request has none.
package final class Failure: Sendable {
    /// The part that fails.
    package enum Subject: String, CaseIterable, Sendable {
        case store, keys, clock
        case appStore = "app-store"
        /// The issuer of end users' tokens.
        case tokenIssuer = "token-issuer"
        /// More is requested than is admitted at once.
        case load
        case service
    }

    package let subject: Subject
    /// Stable; the same for failures of the same kind.
    package let code: String
    /// What happened, in plain words, without secrets.
    package let reason: String

    package init(_ subject: Subject, _ code: String, _ reason: String) {
        self.subject = subject
        self.code = code
        self.reason = reason
    }

    /// `warning` for causes outside of the service's control, `error` for the rest.
    package var level: Logger.Level {
        switch subject {
        case .appStore, .tokenIssuer, .load: .warning
        case .store, .keys, .clock, .service: .error
        }
    }
}

extension Failure: Equatable {
    package static func == (left: Failure, right: Failure) -> Bool {
        left.subject == right.subject && left.code == right.code && left.reason == right.reason
    }
}

extension Failure {
    /// The failure that an error describes. An error that describes none is a fault of the service itself.
    package static func of(_ error: any Error) -> Failure { (error as? any FailureDescribing)?.asFailure ?? .unexpected(error) }

    /// A fault of the service itself.
    static func unexpected(_ error: any Error) -> Failure { Failure(.service, "internal-error", "\(error)") }

    /// The failure behind an error that answers a request; nil if the caller is to blame.
    package static func behind(_ error: any Error, status: UInt) -> Failure? {
        if status >= 500 { return .of(error) }
        let failure = (error as? any FailureDescribing)?.asFailure
        return failure?.subject == .clock ? failure : nil
    }
}
