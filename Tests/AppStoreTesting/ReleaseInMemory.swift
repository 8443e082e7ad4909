import AppStore

/// Remembers in this process alone that Production has answered an app.
package actor ReleaseInMemory: ReleaseRecord {
    package private(set) var wasReleased: Bool

    package init(_ wasReleased: Bool = false) { self.wasReleased = wasReleased }

    package func note() { wasReleased = true }
}
