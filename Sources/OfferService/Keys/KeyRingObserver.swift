/// Is told when the keys in force have changed.
package protocol KeyRingObserver: Sendable {
    /// The folder was read again, or something was decided.
    func didLoad(_ keys: LoadedKeys, before: LoadedKeys)
}
