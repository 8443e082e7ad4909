/// Somebody whom a sign-in proxy names.
package struct ProxiedPerson: Equatable, Sendable {
    /// As the proxy has it; empty for one that cannot be read.
    package let name: String
    /// The person's access key; nil if there is none of this name.
    let accessID: String?

    /// Whether there is an access key of this name. It may have ended.
    package var isKnown: Bool { accessID != nil }

    /// Takes the values as they are.
    package init(name: String, accessID: String?) {
        self.name = name
        self.accessID = accessID
    }
}
