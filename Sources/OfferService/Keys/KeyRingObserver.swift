/// Receives changes of the keys in force.
package protocol KeyRingObserver: Sendable {
    /// The folder was read again, or something was decided.
    func didLoad(_ keys: LoadedKeys, before: LoadedKeys)
}
