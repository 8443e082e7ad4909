/// A `TEST` notification that the App Store has tried to send.
package struct TestNotification: Equatable, Sendable {
    /// The payload that it sent.
    package let signedPayload: String
    /// Apple's result of the last attempt: `SUCCESS`, `TLS_ISSUE`, `UNSUCCESSFUL_HTTP_RESPONSE_CODE`, ….
    package let sendAttemptResult: String

    package init(signedPayload: String, sendAttemptResult: String) {
        self.signedPayload = signedPayload
        self.sendAttemptResult = sendAttemptResult
    }
}
