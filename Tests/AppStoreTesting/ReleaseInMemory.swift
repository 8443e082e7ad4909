import AppStore

/// Remembers in this process alone that Production has answered an app.
package actor ReleaseInMemory: ReleaseRecord {
    package private(set) var isNoted: Bool

    package init(_ isNoted: Bool = false) { self.isNoted = isNoted }

    package func note() { isNoted = true }
}
