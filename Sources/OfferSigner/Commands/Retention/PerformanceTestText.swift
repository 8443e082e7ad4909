import AppStore

/// Apple's performance test in words.
enum PerformanceTestText {
    /// Returns the conditions to pass.
    static func terms(_ terms: PerformanceTest.Terms) -> String {
        func number(_ value: Int64?) -> String { value.map { "\($0)" } ?? "?" }
        return "\(number(terms.totalRequests)) requests, \(number(terms.maxConcurrentRequests)) at once; "
            + "\(number(terms.successRateThreshold)) % have to succeed, within \(number(terms.responseTimeThreshold)) ms"
    }

    /// Returns the result of a test.
    static func lines(_ result: PerformanceTest.Result) -> [String] {
        var lines = ["\(result.verdict)" + (result.target.map { "  \($0)" } ?? "")]
        if let rate = result.successRate { lines.append("\(rate) % succeeded") }
        if let pending = result.pending, pending > 0 { lines.append("\(pending) requests are still to come") }
        if !result.responseTimes.isEmpty {
            lines.append(result.responseTimes.map { "\($0.name) \($0.milliseconds) ms" }.joined(separator: ", "))
        }
        for failure in result.failures { lines.append("\(failure.count) × \(failure.reason)") }
        return lines + ["asked for: \(terms(result.terms))"]
    }
}
