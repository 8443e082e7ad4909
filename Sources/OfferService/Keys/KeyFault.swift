package import OfferSigning

/// A key in the key folder that cannot be used, with the reason.
package struct KeyFault: Equatable, Sendable {
    /// The name of the file, the folder or the manifest that is at fault; empty if none of them in particular is.
    package let file: String
    /// What is wrong and what to do about it, in a sentence.
    package let reason: String
    /// The key's id; nil if it is not known.
    package let keyID: String?
    /// The key's state in the manifest; nil if the fault is about no key.
    package let state: KeyState?
    /// The apps that the key serves; nil for every app.
    package let apps: Set<String>?

    package init(file: String, reason: String, keyID: String? = nil, state: KeyState? = nil, apps: Set<String>? = nil) {
        self.file = file
        self.reason = reason
        self.keyID = keyID
        self.state = state
        self.apps = apps
    }

    /// Whether the fault is about the key that signs for an app according to the manifest.
    package func isActive(in bundleID: String) -> Bool { state == .active && apps?.contains(bundleID) ?? true }
}
