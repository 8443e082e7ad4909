import Foundation
import TestRandomness
import Testing
import WireText

@Suite("Base64")
struct Base64Tests {
    @Test("Bytes of every length come back from both alphabets, and Foundation agrees")
    func roundTrip() {
        var random = SplitMix64(seed: 3)
        for count in 0..<200 {
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
            let text = Data(bytes).base64EncodedString()
            #expect(Base64.encode(bytes) == text)
            #expect(Base64.decode(text.utf8) == bytes)
            var urlSafe: [UInt8] = []
            Base64.appendURLSafe(bytes, to: &urlSafe)
            let expected = text.map { character in ["+": "-", "/": "_"][character] ?? character }.filter { $0 != "=" }
            #expect(String(decoding: urlSafe, as: UTF8.self) == String(expected))
            #expect(Base64.decodeURLSafe(urlSafe) == bytes)
        }
        #expect(Base64.decode("+/+/".utf8) == [0xFB, 0xFF, 0xBF])
        #expect(Base64.decodeURLSafe("-_-_".utf8) == [0xFB, 0xFF, 0xBF])
    }

    @Test(
        "Anything but the one spelling is refused in the standard alphabet",
        arguments: [
            "A", "AA", "AAA", "AA=", "AA===", "A===", "====", "=", "==", "AA==AAAA", "AA= =", "AB==", "AAB=", "AAAA\n", " AAAA",
            "AA-_", "AAAA====", "A=A=", "AAé=", "AA\0A",
        ])
    func strict(text: String) { #expect(Base64.decode(text.utf8) == nil) }

    @Test(
        "Padding, white space, the other alphabet and stray bits are refused in base64url",
        arguments: ["A", "AAAAA", "AA==", "AAA=", "AB", "AAB", "AA+/", "AA\n", " AAA", "AA.A", "é"])
    func strictURLSafe(text: String) { #expect(Base64.decodeURLSafe(text.utf8) == nil) }

    @Test("No changed byte gives the same bytes")
    func unique() {
        let text = Array("AQIDBAUGBw==".utf8)
        for index in text.indices {
            for byte in 0...255 as ClosedRange<UInt8> where byte != text[index] {
                var changed = text
                changed[index] = byte
                #expect(Base64.decode(changed) != Base64.decode(text))
            }
        }
    }
}
