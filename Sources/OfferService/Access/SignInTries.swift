import Synchronization

/// Counts wrong access keys by address, and refuses further tries from an address that has sent too many.
///
/// This keeps a script from filling the log. Guessing a key is hopeless even without it, because a key's secret has 256 bits.
final class SignInTries: Sendable {
    private static let max = 10
    /// The time in which wrong keys from one address are counted, in ms.
    private static let window: Int64 = 60_000
    private static let maxAddresses = 10_000

    private let failures = Mutex<[PeerAddress: (count: Int, since: Int64)]>([:])

    /// - Parameter now: milliseconds of a monotonic clock.
    func check(_ address: PeerAddress, at now: Int64) throws(SignInError) {
        let found = failures.withLock { $0[address] }
        guard let found, found.count >= Self.max, now < found.since + Self.window else { return }
        throw .tooManyTries(seconds: (found.since + Self.window - now + 999) / 1000)
    }

    func noteFailure(_ address: PeerAddress, at now: Int64) {
        failures.withLock { failures in
            if failures.count >= Self.maxAddresses { failures = failures.filter { now < $0.value.since + Self.window } }
            // So many addresses in one minute belong to an attack, not to people. Forgetting all of them bounds the memory.
            if failures.count >= Self.maxAddresses { failures = [:] }
            let found = failures[address].flatMap { now < $0.since + Self.window ? $0 : nil } ?? (count: 0, since: now)
            failures[address] = (found.count + 1, found.since)
        }
    }
}
