import Synchronization
import TestRandomness

/// Bytes that follow from a seed.
final class SeededBytes: Sendable {
    private let dice: Mutex<SplitMix64>

    init(seed: UInt64) { dice = Mutex(SplitMix64(seed: seed)) }

    func next(_ count: Int) -> [UInt8] {
        dice.withLock { dice in (0..<count).map { _ in UInt8(truncatingIfNeeded: dice.next()) } }
    }
}
