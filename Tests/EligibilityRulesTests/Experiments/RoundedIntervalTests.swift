import EligibilityRules
import Testing

@Suite("Ends of intervals, as people read them")
struct RoundedIntervalTests {
    @Test(
        "They are rounded outwards, and none seems to be 0 that is not",
        arguments: [
            (0.00043, 0.00916, "0.04", "0.92"), (0.088, 0.106, "8.8", "10.6"), (0.0181, 0.0535, "1.8", "5.4"),
            (-0.0301, 0.0299, "−3.1", "3.0"), (-0.0091, -0.0000042, "−0.9100", "−0.0004"), (0, 0.07, "0", "7.0"),
            (1e-18, 1, "0", "100.0"), (-12.34567, 0, "−1,234.6", "0"),
        ] as [(Double, Double, String, String)])
    func ends(low: Double, high: Double, lowText: String, highText: String) {
        let rounded = RoundedInterval(ConfidenceInterval(low: low, high: high), times: 100)
        #expect(text(rounded.low) == lowText)
        #expect(text(rounded.high) == highText)
    }

    @Test("Money has two decimals")
    func money() {
        let rounded = RoundedInterval(ConfidenceInterval(low: 0.481, high: 1234.5), places: 2)
        #expect(text(rounded.low) == "0.48" && text(rounded.high) == "1,234.50")
    }

    private func text(_ end: RoundedInterval.End) -> String { (end.isNegative ? "−" : "") + end.magnitude }
}
