/// A person named by a sign-in proxy.
package struct ProxiedPerson: Equatable, Sendable {
    /// The name as the proxy sends it; empty for one that cannot be read.
    package let name: String
    /// The person's access key; nil if there is none of this name.
    let accessID: String?

    /// Whether there is an access key of this name. The key may have ended.
    package var isKnown: Bool { accessID != nil }

    package init(name: String, accessID: String?) {
        self.name = name
        self.accessID = accessID
    }
}
