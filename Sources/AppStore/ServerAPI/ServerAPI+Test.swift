import EligibilityRules

extension ServerAPI {
    /// Asks an environment about a transaction that does not exist. The answer that it is unknown shows that the token is good.
    package func knock(in environment: AppStoreEnvironment) async throws(AppStoreError) {
        do {
            _ = try await ask(host(of: environment), "/inApps/v1/subscriptions/1")
        } catch {
            guard let code = error.appleCode, code / 10_000 != 401, code / 10_000 == 404 || code / 10_000 == 400 else {
                throw error
            }
        }
    }

    /// Asks the App Store to send a `TEST` notification to its URL. Returns the token to query it with.
    package func requestTestNotification(in environment: AppStoreEnvironment) async throws(AppStoreError) -> String {
        let answer = try await ask(host(of: environment), "/inApps/v1/notifications/test", body: [])
        guard let token = answer.text("testNotificationToken") else {
            throw AppStoreError(.malformedAnswer, "the App Store's answer has no token for the test notification")
        }
        return token
    }

    /// Returns the result of a `TEST` notification, or nil while it was not sent.
    package func testNotification(
        _ token: String,
        in environment: AppStoreEnvironment
    ) async throws(AppStoreError) -> TestNotification? {
        do {
            let answer = try await ask(host(of: environment), "/inApps/v1/notifications/test/\(URLText.encoded(token))")
            guard let attempt = answer.objects("sendAttempts").last?.text("sendAttemptResult") else { return nil }
            return TestNotification(signedPayload: answer.text("signedPayload") ?? "", sendAttemptResult: attempt)
        } catch {
            guard error.appleCode == ServerAPIErrorCode.testNotificationNotFound else { throw error }
            return nil
        }
    }
}
