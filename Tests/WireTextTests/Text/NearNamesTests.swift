import Testing

@testable import WireText

@Suite("Near names")
struct NearNamesTests {
    private static let known = ["com.example.app", "com.example.apps", "winback50", "id"]

    @Test(
        "A name with one or two wrong letters is recognised",
        arguments: [
            ("com.exmple.app", "; do you mean com.example.app or com.example.apps?"), ("WINBACK5", "; do you mean winback50?"),
            ("com.exmple.apx", "; do you mean com.example.app?"), ("loyalty", ""), ("ip", ""), ("", ""),
        ])
    func near(name: String, suggestion: String) {
        #expect(NearNames.suggestion(for: name, among: Self.known) == suggestion)
    }

    @Test("Long names, and what comes after the first hundred, are not compared")
    func bounds() {
        let long = String(repeating: "a", count: 65)
        #expect(NearNames.suggestion(for: long, among: [long + "b"]) == "")
        #expect(NearNames.suggestion(for: "winback", among: Array(repeating: "other", count: 100) + ["winback5"]) == "")
    }
}
