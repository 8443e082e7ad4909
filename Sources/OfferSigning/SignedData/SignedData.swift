package import WireText

/// Data signed by the App Store, with a verified signature and certificate chain.
///
/// The caller must check that bundle id, environment and app are the expected ones.
package struct SignedData: Sendable {
    /// The signed payload, a JSON object.
    package let payload: JSONValue
    /// When the data was signed, ms since 1970; nil if the payload does not say.
    package let signedDate: Int64?
    /// Whether a local test signed it, with a certificate named in the configuration, instead of the App Store.
    ///
    /// Such data must not be accepted for the environments Production and Sandbox.
    package let isLocal: Bool

    package init(payload: JSONValue, signedDate: Int64?, isLocal: Bool) {
        self.payload = payload
        self.signedDate = signedDate
        self.isLocal = isLocal
    }
}
