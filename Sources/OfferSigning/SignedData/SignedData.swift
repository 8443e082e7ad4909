package import WireText

/// Data that the App Store signed, after its signature and certificates were found in order.
///
/// Whose data it is has not been looked at: bundle id, environment and app are the caller's to compare.
package struct SignedData: Sendable {
    /// What was signed, a JSON object.
    package let payload: JSONValue
    /// When it was signed, ms since 1970; nil if the payload does not say.
    package let signedDate: Int64?
    /// Whether a local test signed it, with the one certificate that the configuration names, rather than the App Store.
    ///
    /// Such data may not pass for the environments Production and Sandbox.
    package let isLocal: Bool

    /// Takes the values as they are.
    package init(payload: JSONValue, signedDate: Int64?, isLocal: Bool) {
        self.payload = payload
        self.signedDate = signedDate
        self.isLocal = isLocal
    }
}
