import Foundation
import TestRandomness
import Testing

@testable import WireText

@Suite("JSON parser")
struct JSONParserTests {
    private func parse(_ bytes: [UInt8]) throws -> JSONValue {
        try bytes.withUnsafeBufferPointer { buffer throws(JSONParser.Fault) in try JSONParser.parse(buffer) }
    }

    private func parse(_ text: String) throws -> JSONValue { try parse(Array(text.utf8)) }

    @Test("Values of every kind are read")
    func kinds() throws {
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

    @Test("A name that appears twice is found wherever the two are", arguments: [2, 8, 9, 40, 64])
    func repeatedNames(count: Int) throws {
        let names = (0..<count).map { "n\($0 % 2 == 0 ? "\u{E9}" : "")\($0)" }
        let text = { (names: [String]) in "{" + names.map { #""\#($0)":1"# }.joined(separator: ",") + "}" }
        guard case .object(let members) = try parse(text(names)) else {
            Issue.record("no object")
            return
        }
        #expect(members.map(\.name) == names)
        for first in stride(from: 0, to: count - 1, by: 3) {
            var twice = names
            twice[count - 1] = names[first]
            let fault = #expect(throws: JSONParser.Fault.self) { try parse(text(twice)) }
            #expect(fault?.reason == "a name appears twice in one object")
        }
    }

    @Test("Names are distinguished by their bytes")
    func equivalentNames() throws {
        let names = (0..<20).flatMap { ["\u{E9}\($0)", "e\u{301}\($0)"] }
        let text = "{" + names.map { #""\#($0)":1"# }.joined(separator: ",") + "}"
        guard case .object(let members) = try parse(text) else {
            Issue.record("no object")
            return
        }
        #expect(members.count == names.count)
    }

    @Test("A text may have as many values as its length allows, and 4,096 besides")
    func values() throws {
        let list = { (count: Int) in "[" + [String](repeating: "0", count: count - 1).joined(separator: ",") + "]" }
        // Each takes two bytes here.
        #expect(throws: Never.self) { try parse(list(4680)) }
        #expect(throws: JSONParser.Fault.self) { try parse(list(4700)) }
    }

    @Test("A mebibyte takes a few milliseconds whatever it is", arguments: SlowText.all)
    func slow(text: SlowText) {
        let bytes = Array(text.text.utf8)
        let times = (0..<3).map { _ in processorTime { _ = try? parse(bytes) } }
        // Some 10 ms in a release build; a debug build takes some thirty times as long, and the quadratic parser took seconds.
        #if THREAD_SANITIZER
            let most = Duration.seconds(5)
        #else
            let most = Duration.seconds(1)
        #endif
        #expect(times.min()! < most, "\(text.name): \(times)")
    }

    /// Of this thread: other tests, and other programs, have the processor now and then.
    private func processorTime(_ work: () -> Void) -> Duration {
        func now() -> Duration {
            var time = timespec()
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
            return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
        }
        let start = now()
        work()
        return now() - start
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

/// A mebibyte that is slow to read in one way or another.
struct SlowText: CustomTestStringConvertible {
    let name: String
    let text: String

    var testDescription: String { name }

    private init(_ name: String, _ part: String) {
        self.name = name
        text = "[" + [String](repeating: part, count: (1 << 20) / (part.utf8.count + 1)).joined(separator: ",") + "]"
    }

    static let all = [
        SlowText("names", "{" + (0..<64).map { "\"\($0)\":0" }.joined(separator: ",") + "}"),
        SlowText("values", "0"), SlowText("escapes", #"""# + String(repeating: #"\u00e9"#, count: 1000) + #"""#),
        SlowText("objects", #"{"":0}"#), SlowText("depth", String(repeating: "[", count: 28) + String(repeating: "]", count: 28)),
        SlowText("marks", "\"a" + String(repeating: "\u{316}\u{301}", count: 4000) + "\""),
    ]
}
