/// Where a key falls among ten thousand equal buckets.
public struct Bucket: Hashable, Sendable {
    /// How many there are: a bucket is a basis point.
    public static let count = 10_000

    /// What a unit is put into buckets for: each is independent of the others.
    public enum Purpose: String, Sendable, CaseIterable {
        case holdout, enrol, variant
    }

    /// The full 32-bit hash.
    public let hash: UInt32
    /// 0…9999, the hash scaled down in integers.
    public let number: Int

    /// - Parameter key: `<campaign>:<purpose>:<unit>`; another purpose gives an independent bucket.
    public init(key: String) { self.init(hash: Murmur3.hash(key)) }

    /// The bucket of a unit.
    public init(campaignID: String, purpose: Purpose, unit: String) {
        self.init(key: "\(campaignID):\(purpose.rawValue):\(unit)")
    }

    init(hash: UInt32) {
        self.hash = hash
        number = Int((UInt64(hash) * UInt64(Bucket.count)) >> 32)
    }
}
