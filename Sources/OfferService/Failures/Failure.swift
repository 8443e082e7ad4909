import AppStore
package import Logging
import OfferSigning
import OfferStore

/// A failure of the service or of the App Store. It is reported to operators whatever the level of the log.
///
/// It is a class, because nearly every record of a request has none, and a missing object takes little space.
package final class Failure: Sendable {
    /// The part of the system that fails.
    package enum Subject: String, CaseIterable, Sendable {
        case store, keys, clock
        case appStore = "app-store"
        /// The issuer of the tokens of end users.
        case tokenIssuer = "token-issuer"
        /// More was requested than the service admits at once.
        case load
        case service
    }

    package let subject: Subject
    /// A stable code, which is the same for failures of the same kind.
    package let code: String
    /// What happened, in plain words, without secrets.
    package let reason: String

    package init(_ subject: Subject, _ code: String, _ reason: String) {
        self.subject = subject
        self.code = code
        self.reason = reason
    }

    /// `warning` if the cause may be outside of the service's control, and `error` otherwise.
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

    /// A failure that can only be a fault in the service itself.
    static func unexpected(_ error: any Error) -> Failure { Failure(.service, "internal-error", "\(error)") }

    /// The failure behind an error with which a request is answered; nil if the caller is to blame.
    package static func behind(_ error: any Error, status: UInt) -> Failure? {
        if status >= 500 { return .of(error) }
        let failure = (error as? any FailureDescribing)?.asFailure
        return failure?.subject == .clock ? failure : nil
    }
}

extension Failure {
    /// Whether the caller's access key was revoked before its act could be recorded.
    package static func isOfRevokedCaller(_ error: any Error) -> Bool { (error as? StoreError)?.code == .actorRevoked }

    /// What a caller is answered after an error of the store or of the keys; nil for any other error.
    package static func outage(behind error: any Error) -> String? {
        switch error {
        case let error as StoreError: "\(error.detail); nothing was signed, try again"
        case let error as SigningError: "signing failed (\(error.code.rawValue)); nothing was signed"
        default: nil
        }
    }
}

/// An error that knows which failure operators should read of.
package protocol FailureDescribing: Error {
    var asFailure: Failure { get }
}

extension StoreError: FailureDescribing {
    package var asFailure: Failure { Failure(.store, code.rawValue, detail) }
}

extension SigningError: FailureDescribing {
    package var asFailure: Failure { Failure(.keys, code.rawValue, detail) }
}

extension AppStoreError: FailureDescribing {
    package var asFailure: Failure { Failure(.appStore, code.rawValue, detail) }
}
