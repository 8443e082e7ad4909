/// The bucket that a key falls into, one of ten thousand of equal size.
public struct Bucket: Hashable, Sendable {
    /// The number of buckets, so that one bucket is one basis point of all units.
    public static let count = 10_000

    /// What a bucket decides.
    ///
    /// A unit has a different bucket for each purpose, so that one decision says nothing about the others.
    public enum Purpose: String, Sendable, CaseIterable {
        case holdout, enrol, variant
    }

    /// The full 32-bit hash.
    public let hash: UInt32
    /// The number of the bucket, 0…9999: the hash scaled down in integer arithmetic.
    public let number: Int

    /// Computes the bucket of a key.
    ///
    /// - Parameter key: `<campaign>:<purpose>:<unit>`.
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
