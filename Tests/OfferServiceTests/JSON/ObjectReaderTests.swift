import Foundation
import Testing

@testable import OfferService

@Suite("Object reader")
struct ObjectReaderTests {
    private func faults(
        of text: String,
        fields: [String] = ["a", "list"],
        _ read: (ObjectReader) -> Void
    ) -> RequestFault? {
        do throws(RequestFault) {
            let reader = try Array(text.utf8).withUnsafeBufferPointer { bytes throws(RequestFault) in
                try ObjectReader.read(bytes, fields: fields)
            }
            read(reader)
            try reader.faults.check()
            return nil
        } catch {
            return error
        }
    }

    private func reason(of text: String, _ read: (ObjectReader) -> Void) -> String? {
        guard case .invalidFields(let fields)? = faults(of: text, read) else { return nil }
        return fields.map { "\($0.name) \($0.reason)" }.joined(separator: "; ")
    }

    @Test("Unknown fields are named with their path")
    func unknown() {
        let fault = faults(of: #"{"b":1,"list":[{"x":1,"y":2}]}"#) { reader in
            _ = reader.objects("list", count: 1...2, fields: ["x"])
        }
        guard case .unknownFields(let fields)? = fault else {
            Issue.record("\(String(describing: fault))")
            return
        }
        #expect(fields.map(\.name) == ["b", "list[0].y"])
    }

    @Test("All faults are reported at once")
    func several() {
        let reported = reason(of: #"{"a":1,"list":[{},{"x":""}]}"#) { reader in
            _ = reader.text("a")
            _ = reader.objects("list", count: 1...2, fields: ["x"]).map { $0.text("x") }
        }
        #expect(reported == "a must be a string; list[0].x is missing; list[1].x is empty")
    }

    @Test("Null is as good as absent")
    func null() {
        let fault = faults(of: #"{"a":null}"#) { _ = $0.optionalText("a") }
        #expect(fault == nil)
        #expect(reason(of: #"{"a":null}"#) { _ = $0.text("a") } == "a is missing")
    }

    @Test("Texts are bounded in characters, not bytes")
    func length() {
        let longest = String(repeating: "😀", count: 255)
        var read: String?
        let fault = faults(of: #"{"a":"\#(longest)"}"#) { read = $0.text("a") }
        #expect(fault == nil)
        #expect(read == longest)
        #expect(reason(of: #"{"a":"\#(longest)x"}"#) { _ = $0.text("a") } == "a is longer than 255 characters")
    }

    @Test("A fault repeats the beginning of a long unknown name")
    func longName() {
        let name = String(repeating: "x", count: 64)
        for (sent, reported) in [(name, name), (name + "y", name + "…")] {
            guard case .unknownFields(let faults)? = faults(of: #"{"\#(sent)":1}"#, { _ in }) else {
                Issue.record("\(sent) is known")
                continue
            }
            #expect(faults.map(\.name) == [reported])
        }
    }

    @Test("A separator is refused however it is spelled", arguments: ["x\u{2063}y", #"x\u2063y"#])
    func separator(text: String) {
        #expect(reason(of: #"{"a":"\#(text)"}"#) { _ = $0.text("a") }?.contains("U+2063") == true)
    }

    @Test(
        "Numbers must be whole and in range",
        arguments: ["0", "101", "1.5", "\"1\"", "1e3", "-1e0", "1e400", "99999999999999999999", "true"])
    func integers(value: String) {
        let reported = reason(of: #"{"a":\#(value)}"#) { _ = $0.optionalInteger("a", in: 1...100) }
        #expect(reported == "a must be a whole number from 1 to 100")
    }

    @Test("A whole number may be spelled as a fraction or with an exponent", arguments: ["10", "10.0", "1e1", "100e-1"])
    func spellings(value: String) {
        var read: Int64?
        let fault = faults(of: #"{"a":\#(value)}"#) { read = $0.optionalInteger("a", in: 1...100) }
        #expect(fault == nil && read == 10)
    }

    @Test("UUIDs are read in either case, and nothing else is")
    func uuids() {
        let text = "20fba8a0-2b80-4a7d-a17f-85c1854727f8"
        for spelling in [text, text.uppercased()] {
            var read: UUID?
            let fault = faults(of: #"{"a":"\#(spelling)"}"#) { read = $0.optionalUUID("a") }
            #expect(fault == nil)
            #expect(read?.uuidString.lowercased() == text)
        }
        #expect(reason(of: #"{"a":"20fba8a0"}"#) { _ = $0.optionalUUID("a") } == "a must be a UUID of 36 characters")
    }

    @Test("A body that is no object is malformed", arguments: ["[]", "1", "\"x\"", "", "{"])
    func noObject(text: String) {
        guard case .malformed? = faults(of: text, { _ in }) else {
            Issue.record("accepted")
            return
        }
    }
}
