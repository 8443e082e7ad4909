package import AppStore

/// Explains how a `TEST` notification went, and what to do if it did not arrive.
package enum NotificationDiagnosis {
    /// The finding if the request for a test notification has failed.
    package static func finding(_ error: AppStoreError, url: String) -> DoctorFinding {
        guard error.appleCode != ServerAPIErrorCode.noNotificationURL else {
            return DoctorFinding(
                "notifications", .problem, "the App Store has no URL for notifications",
                remedy: "Enter \(url) in App Store Connect, App Information, App Store Server Notifications, version 2.")
        }
        return DoctorFinding(
            "notifications", .problem, "the App Store sends no test notification: \(error)", remedy: "Try again in some minutes.")
    }

    /// The finding if the App Store has accepted the request for a test notification.
    ///
    /// - Parameters:
    ///   - notification: what the App Store reports about the notification; nil if it reported nothing while the doctor waited.
    ///   - hasArrived: whether the notification is in this service's store.
    package static func finding(_ notification: TestNotification?, hasArrived: Bool, url: String) -> DoctorFinding {
        if hasArrived { return DoctorFinding("notifications", .good, "a test notification has come, and is stored") }
        guard let result = notification?.sendAttemptResult else {
            return DoctorFinding(
                "notifications", .warning, "the App Store has not sent the test notification yet",
                remedy: "Look again in a minute.")
        }
        if result == "SUCCESS" {
            return DoctorFinding(
                "notifications", .problem, "the App Store has delivered a test notification, but not to this service's store",
                remedy:
                    "Another service answers at the URL in App Store Connect. Enter \(url) there, or look at the store that it uses."
            )
        }
        return DoctorFinding(
            "notifications", .problem, "the App Store could not deliver a test notification: \(result)",
            remedy: remedy(result, url))
    }

    private static func remedy(_ result: String, _ url: String) -> String {
        switch result {
        case "TIMED_OUT", "NO_RESPONSE", "SOCKET_ISSUE", "PREMATURE_CLOSE":
            "Let the App Store (17.0.0.0/8) reach \(url); check that serve runs, and the proxy in front of it."
        case "TLS_ISSUE":
            "The App Store must reach \(url) with TLS 1.2 or later and a certificate, with its intermediates, that is publicly trusted."
        case "CIRCULAR_REDIRECT", "INVALID_RESPONSE", "UNSUPPORTED_CHARSET":
            "Something in front of the service answers in its place. \(url) must lead straight to the service."
        case "UNSUCCESSFUL_HTTP_RESPONSE_CODE":
            "The service, or a proxy in front of it, refused the notification. Look for its code in the service's log."
        default: "See Apple's sendAttemptResult, and whether \(url) can be reached from outside."
        }
    }
}
