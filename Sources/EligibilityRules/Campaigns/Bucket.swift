/// Where a key falls among ten thousand equal buckets.
public struct Bucket: Equatable, Sendable {
    /// The full 32-bit hash.
    public let hash: UInt32
    /// 0…9999, the hash scaled down in integers.
    public let number: Int

    /// - Parameter key: `<campaign>:<purpose>:<unit>`; another purpose gives an independent bucket.
    public init(key: String) {
        hash = Murmur3.hash(key)
        number = Int((UInt64(hash) * 10_000) >> 32)
    }
}
