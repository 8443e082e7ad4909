import Testing

@testable import OfferHTTP

@Suite("Shares of variants in words")
struct SplitBarTests {
    @Test(
        "a share has as many decimals as it needs",
        arguments: [
            (10_000, "100"), (5_000, "50"), (3_330, "33.3"), (3_333, "33.33"), (505, "5.05"), (1, "0.01"), (0, "0"),
            (-250, "-2.5"),
        ])
    func percent(_ basisPoints: Int, _ words: String) { #expect(SplitBar.percent(basisPoints) == words + "\u{a0}%") }
}
