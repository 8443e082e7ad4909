import EligibilityRules
import Testing

@Suite("Buckets")
struct BucketTests {
    @Test(
        "The hash is MurmurHash3 x86 32-bit with seed 0",
        arguments: [
            ("ejOoVL", 0), ("bY9fO-", 1), ("SI7p-", 2_147_483_647), ("6LvT0", 2_147_483_648), ("ceQdGm", 4_294_967_295),
            ("", 0), ("hello", 0x248b_fa47), ("hello, world", 0x149b_bb7f),
            ("The quick brown fox jumps over the lazy dog", 0x2e4f_f723),
        ] as [(String, UInt32)])
    func knownHashes(text: String, hash: UInt32) {
        #expect(Bucket(key: text).hash == hash)
    }

    @Test(
        "The bucket is the hash scaled to ten thousand",
        arguments: [("ejOoVL", 0), ("SI7p-", 4999), ("6LvT0", 5000), ("ceQdGm", 9999)])
    func scaling(text: String, bucket: Int) {
        #expect(Bucket(key: text).number == bucket)
    }

    @Test("The buckets of many keys are evenly filled")
    func evenness() {
        var counts = [Int](repeating: 0, count: 10)
        for unit in 0..<100_000 { counts[Bucket(key: "summer:variant:\(unit)").number / 1000] += 1 }
        // Nine degrees of freedom: chi² stays below 27.9 in 999 of 1000 fair draws; the draw is fixed.
        let chiSquared = counts.reduce(0.0) { $0 + (Double($1) - 10_000) * (Double($1) - 10_000) / 10_000 }
        #expect(chiSquared < 27.9)
    }
}
