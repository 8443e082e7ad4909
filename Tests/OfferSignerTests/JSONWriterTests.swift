import OfferSigning
import Testing

@testable import OfferSigner

@Suite("JSON writer")
struct JSONWriterTests {
    @Test("Writes what JSONText writes, whatever fits its memory and whatever does not")
    func sameAsText() {
        let texts = [
            "", "plain", "\"quoted\" \\ \n\t\u{1} ü 🎁", String(repeating: "x", count: 4094), String(repeating: "é", count: 9000),
        ]
        for count in [1, 3, 200] {
            let written = JSONWriter.bytes { json in
                for _ in 0..<count {
                    for text in texts {
                        json.append(text)
                        json.append(raw: ",")
                    }
                    for number in [0, 7, -1, 1_700_000_000_000, .max, .min] as [Int64] { json.append(number) }
                    json.append(json: [0x5B, 0x5D])
                }
            }
            var expected: [UInt8] = []
            for _ in 0..<count {
                for text in texts {
                    JSONText.append(text, to: &expected)
                    JSONText.append(raw: ",", to: &expected)
                }
                for number in [0, 7, -1, 1_700_000_000_000, .max, .min] as [Int64] { JSONText.append(number, to: &expected) }
                expected += [0x5B, 0x5D]
            }
            #expect(written == expected)
        }
    }
}
