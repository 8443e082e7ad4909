import EligibilityRules

extension ServerAPI {
    /// Asks the App Store to send a `TEST` notification to the app's notification URL, which is set in App Store Connect.
    ///
    /// Returns a token. Pass it to `testNotification` to get the result.
    package func requestTestNotification(in environment: AppStoreEnvironment) async throws(AppStoreError) -> String {
        let answer = try await ask(in: environment, .post, "/inApps/v1/notifications/test", .json([]))
        guard let token = answer.text("testNotificationToken") else {
            throw AppStoreError(.malformedAnswer, "the App Store's answer has no token for the test notification")
        }
        return token
    }

    /// Returns the result of a `TEST` notification, or nil if it has not been sent yet.
    package func testNotification(
        _ token: String,
        in environment: AppStoreEnvironment
    ) async throws(AppStoreError) -> TestNotification? {
        do {
            let path = "/inApps/v1/notifications/test/\(URLText.encoded(token))"
            let answer = try await ask(in: environment, .get, path)
            guard let attempt = answer.objects("sendAttempts").last?.text("sendAttemptResult") else { return nil }
            return TestNotification(signedPayload: answer.text("signedPayload") ?? "", sendAttemptResult: attempt)
        } catch {
            guard error.appleCode == ServerAPIErrorCode.testNotificationNotFound else { throw error }
            return nil
        }
    }
}

/// A `TEST` notification that the App Store has tried to send.
package struct TestNotification: Equatable, Sendable {
    /// The payload that the App Store sent.
    package let signedPayload: String
    /// Apple's result of the last attempt: `SUCCESS`, `TLS_ISSUE`, `UNSUCCESSFUL_HTTP_RESPONSE_CODE`, ….
    package let sendAttemptResult: String

    package init(signedPayload: String, sendAttemptResult: String) {
        self.signedPayload = signedPayload
        self.sendAttemptResult = sendAttemptResult
    }
}
