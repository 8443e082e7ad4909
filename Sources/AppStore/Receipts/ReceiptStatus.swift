/// The statuses of verifyReceipt that matter for asking again.
package enum ReceiptStatus {
    /// The receipt is malformed, or the service could not read it just now.
    package static let malformedOrTemporary = 21002
    /// The password is not the app's shared secret.
    package static let wrongSecret = 21004
    /// The service is temporarily unavailable.
    package static let unavailable = 21005
    /// A sandbox receipt was sent to production.
    static let sandboxReceipt = 21007
    /// An internal error; the same request may succeed later.
    static let internalError = 21009
    /// Internal errors. `is_retryable` states which may pass.
    static let internalErrors = 21100...21199
}
