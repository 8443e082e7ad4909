import EligibilityRules
import Testing

@Suite("Exact text")
struct ExactTextTests {
    @Test(
        "Texts that only look alike are different keys",
        arguments: [("\u{E9}", "e\u{301}"), ("K", "\u{212A}"), ("a", "A"), ("a", "a ")])
    func lookAlikes(left: String, right: String) {
        #expect(ExactText(left) != ExactText(right))
        #expect([ExactText(left): 1][ExactText(right)] == nil)
    }

    @Test("The same bytes are the same key, however they were made")
    func sameBytes() {
        let assembled = ["com", "example", "application"].joined(separator: ".")
        #expect([ExactText("com.example.application"): 1][ExactText(assembled)] == 1)
    }
}
