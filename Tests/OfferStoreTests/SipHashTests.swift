import TestRandomness
import Testing

@testable import OfferStore

@Suite("SipHash")
struct SipHashTests {
    /// Key 00 01 … 0f and the bytes 00 01 …, from the authors' reference implementation (vectors.h), as numbers.
    @Test(
        "Gives what the authors' implementation gives",
        arguments: [
            (0, 0x726f_db47_dd0e_0e31), (1, 0x74f8_39c5_93dc_67fd), (7, 0xab02_00f5_8b01_d137), (8, 0x93f5_f579_9a93_2462),
            (15, 0xa129_ca61_49be_45e5), (63, 0x958a_324c_eb06_4572),
        ] as [(Int, UInt64)])
    func vectors(count: Int, expected: UInt64) {
        let hash = SipHash(key: Array(0..<16))
        #expect([UInt8](0..<UInt8(count)).withUnsafeBytes(hash.hash) == expected)
    }

    @Test("Bytes that come in parts have the hash of the whole, and a copy goes on by itself", arguments: 0..<20)
    func parts(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let hash = SipHash(key: (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &random) })
        var (stream, whole) = (SipHash.Stream(hash), [UInt8]())
        for _ in 0..<50 {
            let part = (0..<random.below(20)).map { _ in UInt8.random(in: .min ... .max, using: &random) }
            var copy = stream
            part.withUnsafeBytes { stream.append($0) }
            #expect(copy.hash == whole.withUnsafeBytes(hash.hash))
            [1, 2, 3].withUnsafeBytes { copy.append($0) }
            whole += part
            #expect(stream.hash == whole.withUnsafeBytes(hash.hash))
        }
    }
}
