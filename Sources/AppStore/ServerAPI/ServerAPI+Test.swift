import EligibilityRules

extension ServerAPI {
    /// Asks an environment about a transaction that nobody has made: that it says so shows that it takes the token.
    package func knock(in environment: AppStoreEnvironment) async throws(AppStoreError) {
        do {
            _ = try await ask(host(of: environment), "/inApps/v1/subscriptions/1")
        } catch {
            guard let code = error.appleCode, code / 10_000 != 401, code / 10_000 == 404 || code / 10_000 == 400 else {
                throw error
            }
        }
    }

    /// Has the App Store send a `TEST` notification to the URL that it has. Returns what to ask about it with.
    package func requestTestNotification(in environment: AppStoreEnvironment) async throws(AppStoreError) -> String {
        let answer = try await ask(host(of: environment), "/inApps/v1/notifications/test", body: [])
        guard let token = answer.text("testNotificationToken") else {
            throw AppStoreError(.malformedAnswer, "the App Store does not say what to ask about the test notification with")
        }
        return token
    }

    /// What became of a `TEST` notification; nil while it was not sent.
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
