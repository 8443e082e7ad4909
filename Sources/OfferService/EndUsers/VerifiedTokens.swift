import Synchronization

/// Tokens that were verified recently, by their digest.
///
/// They are remembered, because verifying a token costs more than the rest of a request.
/// Their number is bounded. A token may be forgotten if, between two uses of it, other tokens fill half of the capacity.
final class VerifiedTokens: Sendable {
    struct Entry: Sendable {
        let caller: Caller
        /// The keys of the token's issuer. Their generation at the verification is `generation`.
        let keys: CurrentTokenKeys
        let generation: Int
        /// From when to when the token is valid, including the leeway, in ms since 1970.
        let times: Range<Int64>
    }

    private struct State {
        var young: [[UInt8]: Entry] = [:]
        var old: [[UInt8]: Entry] = [:]
    }

    private let half: Int
    private let state = Mutex(State())

    init(capacity: Int) { half = max(1, capacity / 2) }

    /// The caller of a token that is valid now, if the keys that verified it are still in force.
    func caller(_ digest: [UInt8], at now: Int64) -> Caller? {
        let found = state.withLock { state -> Entry? in
            if let entry = state.young[digest] { return entry }
            guard let entry = state.old[digest] else { return nil }
            insert(entry, digest, &state)
            return entry
        }
        guard let found, found.times.contains(now), found.keys.current?.generation == found.generation else { return nil }
        return found.caller
    }

    /// Remembers a token that has been verified, by its digest.
    func insert(_ entry: Entry, for digest: [UInt8]) { state.withLock { insert(entry, digest, &$0) } }

    private func insert(_ entry: Entry, _ digest: [UInt8], _ state: inout State) {
        if state.young.count >= half {
            state.old = state.young
            state.young = [:]
        }
        state.young[digest] = entry
    }
}
