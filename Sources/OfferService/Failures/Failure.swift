package import Logging

/// Something of the service's own, or of the App Store's, that does not work: operators hear of it whatever the level of the log.
///
/// A class: nearly every record of a request has none.
package final class Failure: Sendable {
    /// What does not work.
    package enum Subject: String, CaseIterable, Sendable {
        case store, keys, clock
        case appStore = "app-store"
        /// Who signs the tokens of end users.
        case tokenIssuer = "token-issuer"
        /// More is asked than is let in at once.
        case load
        case service
    }

    package let subject: Subject
    /// Stable; says which failures are the same.
    package let code: String
    /// What happened, in plain words, without secrets.
    package let reason: String

    package init(_ subject: Subject, _ code: String, _ reason: String) {
        self.subject = subject
        self.code = code
        self.reason = reason
    }

    /// `warning` for what is not in our hands, `error` for the rest.
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
    /// What an error tells of; any that does not say is a fault of the service's own.
    package static func of(_ error: any Error) -> Failure { (error as? any FailureDescribing)?.asFailure ?? .unexpected(error) }

    /// A fault of the service's own.
    static func unexpected(_ error: any Error) -> Failure { Failure(.service, "internal-error", "\(error)") }

    /// Of an error that answers a request; nil where the caller is to blame.
    package static func behind(_ error: any Error, status: UInt) -> Failure? {
        if status >= 500 { return .of(error) }
        let failure = (error as? any FailureDescribing)?.asFailure
        return failure?.subject == .clock ? failure : nil
    }
}
