import Foundation
import TestRandomness
import Testing

@testable import OfferSigning

@Suite("JSON parser")
struct JSONParserTests {
    private func parse(_ bytes: [UInt8]) throws -> JSONValue {
        try bytes.withUnsafeBufferPointer { buffer throws(JSONParser.Fault) in try JSONParser.parse(buffer) }
    }

    private func parse(_ text: String) throws -> JSONValue { try parse(Array(text.utf8)) }

    @Test("Values of every kind are read")
    func values() throws {
        let text = #" {"a":[1,-2.5e+3,true,false,null,"x"],"b":{},"c":[]} "#
        let list: [JSONValue] = [.number("1"), .number("-2.5e+3"), .bool(true), .bool(false), .null, .string("x")]
        let members = [("a", JSONValue.array(list)), ("b", .object([])), ("c", .array([]))]
        #expect(try parse(text) == .object(members.map { JSONValue.Member(name: $0.0, value: $0.1) }))
    }

    @Test(
        "Escapes become what they stand for",
        arguments: [
            (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"), (#""\u00e9""#, "é"), (#""\ud83d\ude00""#, "😀"),
            (#""\u2063""#, "\u{2063}"), ("\"e\u{301}\"", "e\u{301}"), (#""\u0000""#, "\0"), ("\"日本\"", "日本"),
        ])
    func escapes(text: String, value: String) throws {
        guard case .string(let parsed) = try parse(text) else {
            Issue.record("not a string")
            return
        }
        #expect(Array(parsed.utf8) == Array(value.utf8))
    }

    @Test(
        "What is no JSON is refused",
        arguments: [
            "", " ", "{", "}", "[1,]", "[,1]", "[1", #"{"a"}"#, #"{"a":}"#, #"{"a":1,}"#, "{a:1}", "01", "1.", ".5", "+1",
            "1e", "--1", "nul", "True", "\"", "\"\n\"", #""\x""#, #""\u12""#, #""\ud83d""#, #""\ud83dx""#, #""\ude00""#,
            "1 2", "[1]]", #"{"a":1,"a":2}"#, "\u{FEFF}1", "'a'", "[1 2]", #"{"a" 1}"#, #""\u+123""#,
            String(repeating: "[", count: 100_000), String(repeating: "[", count: 33) + String(repeating: "]", count: 33),
        ])
    func refused(text: String) {
        #expect(throws: JSONParser.Fault.self) { try parse(text) }
    }

    @Test(
        "Bytes that are not UTF-8 are refused",
        arguments: [[0x22, 0xFF, 0x22], [0x22, 0xC3, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22], [0x22, 0xC0, 0x80, 0x22]])
    func notUTF8(bytes: [UInt8]) {
        #expect(throws: JSONParser.Fault.self) { try parse(bytes) }
    }

    @Test("A fault says where it is")
    func offset() {
        let fault = #expect(throws: JSONParser.Fault.self) { try parse(#"{"a": x}"#) }
        #expect(fault?.offset == 6)
    }

    @Test("On damaged JSON it agrees with Foundation, which is never stricter")
    func againstFoundation() throws {
        let original = Array(#"{"offers":[{"productId":"pro","offerId":"é\n","n":-1.5}],"x":[true,null,{"y":""}]}"#.utf8)
        var random = SplitMix64(seed: 1)
        for _ in 0..<20_000 {
            var bytes = original
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let index = Int.random(in: bytes.indices, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes.remove(at: index)
                default: bytes.insert(UInt8(ascii: "{}[],:\"\\1".randomElement(using: &random)!), at: index)
                }
            }
            guard (try? parse(bytes)) != nil else { continue }
            let accepted = (try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)) != nil
            #expect(accepted, "\(String(decoding: bytes, as: UTF8.self))")
        }
    }
}

extension UInt8 {
    fileprivate init(ascii character: Character) { self = character.asciiValue! }
}
