import Testing

@testable import OfferSigner

@Suite("The report of a retention self-test")
struct RetentionSelfTestReportTests {
    private func report(right: Int, late: Int = 0, wrong: Int = 0) -> RetentionSelfTestReport {
        typealias Answer = RetentionSelfTestReport.Answer
        let answers =
            Array(repeating: Answer(microseconds: 500_000, outcome: .right("message")), count: right)
            + Array(repeating: Answer(microseconds: 500_001, outcome: .right("message")), count: late)
            + Array(repeating: Answer(microseconds: 1000, outcome: .wrong("204")), count: wrong)
        return RetentionSelfTestReport(target: "http://x", concurrent: 10, deadline: 500, answers: answers)
    }

    @Test("95 of 100 have to be right and in time")
    func verdict() {
        #expect(report(right: 95, late: 5).isPassed && report(right: 95, wrong: 5).isPassed)
        #expect(!report(right: 94, late: 6).isPassed && !report(right: 94, late: 3, wrong: 3).isPassed)
    }

    @Test("What came is counted by kind, and times are shown as shares")
    func lines() {
        #expect(
            report(right: 97, late: 1, wrong: 2).lines == [
                "100 requests, 10 at once, to http://x", "p50 500.0 ms, p95 500.0 ms, p99 500.0 ms, slowest 500.0 ms",
                "98 × message", "2 × wrong: 204", "PASS: 97 of 100 right and within 500 ms; Apple asks for 95 %",
            ])
    }
}
