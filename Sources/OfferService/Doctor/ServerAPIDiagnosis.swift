package import AppStore
package import EligibilityRules
import FoundationEssentials
import WireText

/// Explains why the App Store Server API accepts or refuses an app's token. It compares the answers of both environments.
package struct ServerAPIDiagnosis {
    /// The App Store refuses a token if this machine's clock differs from its own by more than this, in ms.
    private static let toleratedSkew: Int64 = 60_000

    private let bundleID: String
    private let keyID: String
    private let issuerID: String
    /// The app's own environment.
    private let environment: AppStoreEnvironment
    /// Whether the app accepts the Sandbox beside Production.
    private let takesSandbox: Bool
    /// Whether the app is known to have been released.
    private let wasReleased: Bool
    /// The error with which each environment has answered; nil if it accepts the token.
    private let production: AppStoreError?
    private let sandbox: AppStoreError?
    private let now: Instant

    package init(
        bundleID: String,
        keyID: String,
        issuerID: String,
        environment: AppStoreEnvironment,
        takesSandbox: Bool = false,
        wasReleased: Bool = false,
        answers: (production: AppStoreError?, sandbox: AppStoreError?),
        now: Instant
    ) {
        self.bundleID = bundleID
        self.keyID = keyID
        self.issuerID = issuerID
        self.environment = environment
        self.takesSandbox = takesSandbox
        self.wasReleased = wasReleased
        (production, sandbox) = answers
        self.now = now
    }

    /// The diagnosis as a finding.
    package var finding: DoctorFinding {
        guard let error = environment == .production ? production : sandbox else { return good }
        guard error.code == .unauthorized else { return unanswered(error) }
        if let skew, abs(skew) > Self.toleratedSkew { return wrongClock(skew) }
        if isRefusedByProductionAlone { return wasReleased ? refusedForNow : notReleased }
        // If Production refuses the token, only the answer of the Sandbox shows whether the key is at fault.
        if let sandbox, sandbox.code != .unauthorized { return unanswered(sandbox) }
        return DoctorFinding(
            "server-api", .problem,
            "the App Store refuses the token of key \(keyID) in every environment (401): the key, the issuer id or the bundle id is wrong",
            remedy: remedies.joined(separator: " "))
    }

    /// Whether the reason is that the app was never released: Production refuses the token, and the Sandbox accepts it.
    package var isNotReleased: Bool { isRefusedByProductionAlone && !wasReleased }

    private var isRefusedByProductionAlone: Bool {
        environment == .production && production?.code == .unauthorized && sandbox == nil
    }

    private var good: DoctorFinding {
        DoctorFinding(
            "server-api", .good, "the App Store Server API accepts the token of key \(keyID) in \(environment.rawValue)")
    }

    /// How far this machine's clock is ahead of the App Store's, in ms; nil if that is not known.
    private var skew: Int64? {
        (production?.answeredAt ?? sandbox?.answeredAt).map { now.milliseconds - $0.milliseconds }
    }

    private func wrongClock(_ skew: Int64) -> DoctorFinding {
        DoctorFinding(
            "server-api", .problem,
            "the machine's clock is \(abs(skew) / 1000) s \(skew < 0 ? "behind" : "ahead of") the App Store's, which therefore refuses tokens (401)",
            remedy: "Set the clock, and keep it with NTP: signatures carry this time, too.")
    }

    private var notReleased: DoctorFinding {
        DoctorFinding(
            "server-api", .warning,
            "Production refuses the token (401) that the Sandbox accepts, as it does for an app that was never released",
            remedy: "Nothing is wrong with the key. "
                + (takesSandbox
                    ? "Until the release the service asks the Sandbox, where TestFlight and App Review buy. Look again after the release."
                    : "Set sandbox: true of the app, so that purchases in TestFlight and App Review count; the service then asks the Sandbox. Look again after the release.")
        )
    }

    private var refusedForNow: DoctorFinding {
        DoctorFinding(
            "server-api", .problem,
            "Production refuses the token (401) that the Sandbox accepts, although the app was released",
            remedy:
                "Nothing is wrong with the key. Look again later, and see https://developer.apple.com/system-status. If it stays so, ask Apple: the app may have been taken from the account."
        )
    }

    private func unanswered(_ error: AppStoreError) -> DoctorFinding {
        DoctorFinding(
            "server-api", .problem, "the App Store Server API gives no answer: \(error)",
            remedy:
                "Let the machine reach the hosts of appStore.serverAPI on port 443, and see https://developer.apple.com/system-status."
        )
    }

    /// The remedies, the likeliest first.
    private var remedies: [String] {
        var remedies: [String] = []
        if UUID(text: issuerID) == nil { remedies.append("issuerId is not a UUID.") }
        remedies.append(
            "Take the key and the issuer id from App Store Connect, Users and Access, Integrations, In-App Purchase: an App Store Connect API key (AuthKey_….p8) signs no offers, and its issuer id stands on another page."
        )
        remedies.append("See there that \(keyID) is active, and that the account is the one that \(bundleID) belongs to.")
        return remedies
    }
}
