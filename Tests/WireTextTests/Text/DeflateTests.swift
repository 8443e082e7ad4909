import Testing
import WireText

@Suite("Compression")
struct DeflateTests {
    // Python: zlib.compress(b"receipt receipt receipt")
    private static let python: [UInt8] = [
        0x78, 0x9c, 0x2b, 0x4a, 0x4d, 0x4e, 0xcd, 0x2c, 0x28, 0x51, 0x28, 0x42, 0xa5, 0x01, 0x6b, 0xe1, 0x09, 0x05,
    ]
    private static let text = Array("receipt receipt receipt".utf8)

    @Test("What another implementation has compressed is expanded")
    func other() { #expect(Deflate.expand(Self.python, maxLength: 100) == Self.text) }

    @Test("What is compressed comes out as it went in", arguments: [0, 1, 100, 100_000])
    func roundTrip(length: Int) {
        let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 3) }
        let compressed = Deflate.compress(bytes)
        #expect(Deflate.expand(compressed, maxLength: length) == bytes)
        if length > 1000 { #expect(compressed.count < length) }
    }

    @Test("Damaged bytes, bytes behind the end, and what is longer than it may be are nothing")
    func damaged() {
        #expect(Deflate.expand(Self.python, maxLength: Self.text.count) == Self.text)
        #expect(Deflate.expand(Self.python, maxLength: Self.text.count - 1) == nil)
        #expect(Deflate.expand(Self.python + [0], maxLength: 100) == nil)
        for length in 0..<Self.python.count { #expect(Deflate.expand(Self.python[..<length], maxLength: 100) == nil) }
        var changed = Self.python
        changed[changed.count - 1] ^= 1
        #expect(Deflate.expand(changed, maxLength: 100) == nil)
    }
}
