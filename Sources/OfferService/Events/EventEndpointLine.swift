package import EligibilityRules

/// An endpoint as people see it. Its URL, which may contain a secret, is left out but for the host.
package struct EventEndpointLine: Sendable {
    package let name: String
    /// Scheme and host; nil if the configuration no longer has the endpoint.
    package let host: String?
    package let types: [String]
    /// Bundle ids; nil: all.
    package let apps: [String]?
    /// When it was disabled; nil while it receives events.
    package let disabledAt: Instant?
    package let pending: Int
    package let failed: Int
    /// When the oldest pending event took place; nil without one.
    package let oldestPending: Instant?
    /// The public halves of its `v1a` keys, `whpk_…`.
    package let publicKeys: [String]
}
