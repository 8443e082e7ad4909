import Foundation
import Testing
import WireText

@Suite("JSON writer")
struct JSONWriterTests {
    @Test("Foundation reads what was written, whatever fits the writer's memory and whatever does not", arguments: [1, 3, 200])
    func readable(count: Int) throws {
        let texts = [
            "", "plain", "\"quoted\" \\ / \u{7F} ü 🎁 e\u{301}", String(decoding: 0..<0x20, as: UTF8.self),
            String(repeating: "x", count: 1022), String(repeating: "x", count: 1024), String(repeating: "é\n", count: 9000),
        ]
        let numbers = [0, 7, -1, 1_700_000_000_000, .max, .min] as [Int64]
        let written = JSONWriter.bytes { json in
            json.append(raw: "[")
            for _ in 0..<count {
                for text in texts {
                    json.append(text)
                    json.append(raw: ",")
                }
            }
            json.append(json: Array("null]".utf8))
        }
        let read = try JSONDecoder().decode([String?].self, from: Data(written))
        let expected = Array(repeating: texts, count: count).flatMap { $0 }
        #expect(read.dropLast().map { $0.map { Array($0.utf8) } } == expected.map { Array($0.utf8) })
        for number in numbers { #expect(JSONWriter.bytes { $0.append(number) } == Array("\(number)".utf8)) }
    }

    @Test("A UUID is written in lower case")
    func uuids() {
        for uuid in (0..<100).map({ _ in UUID() }) { #expect(uuid.lowerCaseString == uuid.uuidString.lowercased()) }
    }

    @Test("What is appended goes behind what is there")
    func appending() {
        var bytes = Array("before ".utf8)
        let uuid = UUID(uuidString: "DD9B0F0A-4E72-4A40-9A73-C09F134A6673")!
        for _ in 0..<100 {
            JSONWriter.append(to: &bytes) { json in
                json.append(unquoted: uuid)
                json.append(unquoted: " \"as it is\" ")
                json.append(base64: [255, 254, 253, 252])
            }
        }
        let piece = "dd9b0f0a-4e72-4a40-9a73-c09f134a6673 \"as it is\" //79/A=="
        #expect(String(decoding: bytes, as: UTF8.self) == "before " + String(repeating: piece, count: 100))
    }
}
