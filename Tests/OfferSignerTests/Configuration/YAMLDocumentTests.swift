import Testing
import WireText

@testable import OfferSigner

@Suite("YAML as JSON")
struct YAMLDocumentTests {
    @Test(
        "Without quotes a value is what JSON takes it for, and a text otherwise",
        arguments: [
            ("NO", JSONValue.string("NO")), ("yes", .string("yes")), ("on", .string("on")), ("true", .bool(true)),
            ("False", .bool(false)), ("20563228", .number("20563228")), ("2.10", .number("2.10")), ("1e3", .number("1e3")),
            ("-0.5", .number("-0.5")), ("007", .string("007")), ("+1", .string("+1")), ("1_000", .string("1_000")),
            (".5", .string(".5")), ("0x1F", .string("0x1F")), (".nan", .string(".nan")), ("1:30", .string("1:30")),
            ("2026-03-01", .string("2026-03-01")), ("2026-03-01T00:00:00Z", .string("2026-03-01T00:00:00Z")), ("~", .null),
            ("null", .null), ("", .null), ("\"20563228\"", .string("20563228")), ("'true'", .string("true")),
            ("\"\"", .string("")),
            ("|\n  12", .string("12\n")), ("[1, a]", .array([.number("1"), .string("a")])),
        ])
    func values(yaml: String, value: JSONValue) throws {
        #expect(try YAMLDocument("x: \(yaml)\n").value == .object([JSONValue.Member(name: "x", value: value)]))
    }

    @Test("Each field is found again, by the line on which its name stands")
    func lines() throws {
        let document = try YAMLDocument("a:\n  - b: 1\n    c:\n      - d\n\n      - e\n  - {b: 2,\n     c: 3}\n")
        #expect(
            document.lines == [
                "": 1, "a": 1, "a[0]": 2, "a[0].b": 2, "a[0].c": 3, "a[0].c[0]": 4, "a[0].c[1]": 6, "a[1]": 7, "a[1].b": 7,
                "a[1].c": 8,
            ])
    }

    @Test(
        "What is not YAML, or repeats a name, is reported with its line",
        arguments: [("a: [\n", "line 2"), ("a: 1\nb: 1\na: 2\n", "twice in one map: a"), ("a: 1\n---\nb: 2\n", "line")])
    func faults(yaml: String, expected: String) {
        let error = #expect(throws: ConfigurationError.self) { try YAMLDocument(yaml) }
        #expect(error?.problems.count == 1 && error?.problems[0].contains(expected) == true, "\(String(describing: error))")
    }

    @Test("Aliases that grow without end are refused")
    func aliases() {
        var yaml = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
        for level in 1...6 {
            yaml += "a\(level): &a\(level) [\(Array(repeating: "*a\(level - 1)", count: 10).joined(separator: ", "))]\n"
        }
        let error = #expect(throws: ConfigurationError.self) { try YAMLDocument(yaml) }
        #expect(error?.problems == ["its aliases repeat too much"])
    }
}
