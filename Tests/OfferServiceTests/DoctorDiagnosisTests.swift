import AppStore
import EligibilityRules
import OfferService
import Testing

@Suite("Diagnosis of a first integration")
struct DoctorDiagnosisTests {
    private func finding(
        _ environment: AppStoreEnvironment = .production,
        production: AppStoreError? = nil,
        sandbox: AppStoreError? = nil,
        issuerID: String = "57246542-96fe-1a63-e053-0824d011072a",
        wasReleased: Bool = false
    ) -> DoctorFinding {
        ServerAPIDiagnosis(
            bundleID: "com.example.app", keyID: "ABCDEFGHIJ", issuerID: issuerID, environment: environment,
            wasReleased: wasReleased, answers: (production, sandbox), now: Instant(milliseconds: 1_000_000)
        ).finding
    }

    private let refused = AppStoreError(.unauthorized, "the App Store answers 401")
    private let away = AppStoreError(.unreachable, "no connection")

    @Test("What both environments answer says why a token is refused")
    func serverAPI() {
        #expect(finding().state == .good)
        #expect(finding(sandbox: refused).state == .good)
        #expect(finding(.sandbox, production: refused).state == .good)
        let unreleased = finding(production: refused)
        #expect(unreleased.state == .warning && unreleased.text.contains("never released"))
        let released = finding(production: refused, wasReleased: true)
        #expect(released.state == .problem && released.text.contains("although the app was released"))
        let wrong = finding(production: refused, sandbox: refused, wasReleased: true)
        #expect(wrong.state == .problem && wrong.remedy?.contains("In-App Purchase") == true)
        #expect(wrong.remedy?.contains("issuerId is not a UUID") == false)
        #expect(finding(production: refused, sandbox: refused, issuerID: "me").remedy?.contains("issuerId is not a UUID") == true)
        // The Sandbox cannot tell of a release.
        #expect(finding(.sandbox, sandbox: refused).state == .problem)
        #expect(finding(production: away).text.contains("app-store-unreachable"))
    }

    @Test(
        "A test notification that does not come says what to do",
        arguments: [
            ("SUCCESS", "Another service answers"), ("TLS_ISSUE", "TLS 1.2"), ("TIMED_OUT", "17.0.0.0/8"),
            ("UNSUCCESSFUL_HTTP_RESPONSE_CODE", "the service's log"), ("INVALID_RESPONSE", "in its place"),
            ("NEW_WORD", "Apple's"),
        ])
    func notifications(result: String, remedy: String) {
        let sent = TestNotification(signedPayload: "", sendAttemptResult: result)
        let finding = NotificationDiagnosis.finding(sent, hasArrived: false, url: "https://HOST/v1")
        #expect(finding.state == .problem && finding.remedy?.contains(remedy) == true && finding.text.count > 20)
        #expect(NotificationDiagnosis.finding(sent, hasArrived: true, url: "").state == .good)
    }

    @Test("A notification that was not sent, or cannot be, is reported as that")
    func unsent() {
        #expect(NotificationDiagnosis.finding(nil, hasArrived: false, url: "").state == .warning)
        let missing = AppStoreError(.notFound, "", appleCode: ServerAPIErrorCode.noNotificationURL)
        #expect(NotificationDiagnosis.finding(missing, url: "https://HOST/x").remedy?.contains("https://HOST/x") == true)
        #expect(NotificationDiagnosis.finding(away, url: "").text.contains("app-store-unreachable"))
    }
}
