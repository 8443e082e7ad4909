import AppStore
import ArgumentParser
import OfferService

/// Commands about Apple's own test of the URL, which runs in the sandbox.
struct RetentionPerformanceTestCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "performance-test",
        abstract: "Have the App Store's sandbox try how fast the URL answers, and show the result.",
        discussion: "A production URL needs a passed test. offersigner retention self-test tries the same from here.",
        subcommands: [Start.self, Show.self])

    struct Start: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Start the test of the sandbox URL, and print its request id.")

        @OptionGroup var retention: RetentionOptions

        @Argument(help: "The original transaction id of a subscription that was bought in the sandbox.")
        var originalTransactionID: String

        func validate() throws { try retention.requireSandbox() }

        func run() async throws {
            let test = try await retention.ask { api, _ throws(AppStoreError) in
                try await api.startPerformanceTest(originalTransactionID: originalTransactionID)
            }
            print(test.requestID)
            StandardError.note(PerformanceTestText.terms(test.terms))
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show the result of a test. Exits with 1 unless it is passed.")

        @OptionGroup var retention: RetentionOptions

        @Argument(help: "The request id that `start` has printed.")
        var requestID: String

        func validate() throws { try retention.requireSandbox() }

        func run() async throws {
            let result = try await retention.ask { api, _ throws(AppStoreError) in
                try await api.performanceTestResult(requestID)
            }
            for line in PerformanceTestText.lines(result) { print(line) }
            if result.verdict != "PASS" { throw ExitCode.failure }
        }
    }
}

extension RetentionOptions {
    fileprivate func requireSandbox() throws {
        if environment == .production { throw ValidationError("the performance test runs in the sandbox, and nowhere else") }
    }
}

/// Writes Apple's performance test as text for a terminal.
enum PerformanceTestText {
    /// Returns the size of the test, and what is required to pass it.
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
