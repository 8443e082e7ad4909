/// Apple's test of how fast the service answers requests of Retention Messaging.
package struct PerformanceTest: Equatable, Sendable {
    /// The size of the test, and what is required to pass it.
    package struct Terms: Equatable, Sendable {
        package let maxConcurrentRequests: Int64?
        package let totalRequests: Int64?
        /// How long the test takes, in ms.
        package let totalDuration: Int64?
        /// The longest response time with which the test is passed, in ms.
        package let responseTimeThreshold: Int64?
        /// The lowest share of successful requests with which the test is passed, in percent.
        package let successRateThreshold: Int64?

        init(_ object: AppleObject?) {
            maxConcurrentRequests = object?.integer("maxConcurrentRequests")
            totalRequests = object?.integer("totalRequests")
            totalDuration = object?.integer("totalDuration")
            responseTimeThreshold = object?.integer("responseTimeThreshold")
            successRateThreshold = object?.integer("successRateThreshold")
        }
    }

    /// The result of the test so far.
    package struct Result: Equatable, Sendable {
        /// `PENDING`, `PASS` or `FAIL`, or a word that Apple adds later.
        package let verdict: String
        /// The URL that the requests were sent to.
        package let target: String?
        /// The share of requests that the service answered successfully, in percent.
        package let successRate: Int64?
        /// The number of requests that are not finished yet.
        package let pending: Int64?
        /// The average and percentiles of the response times, as far as Apple states them. Their names are `average`, `p50`,
        /// `p90`, `p95` and `p99`.
        package let responseTimes: [(name: String, milliseconds: Int64)]
        /// The number of failures for each reason, in Apple's words.
        package let failures: [(reason: String, count: Int64)]
        package let terms: Terms

        /// Returns nil if the object has no field `result`.
        init?(_ object: AppleObject) {
            guard let verdict = object.text("result") else { return nil }
            self.verdict = verdict
            target = object.text("target")
            successRate = object.measure("successRate")
            pending = object.integer("numPending")
            let times = object.object("responseTimes")
            responseTimes = ["average", "p50", "p90", "p95", "p99"].compactMap { name in
                times?.measure(name).map { (name, $0) }
            }
            let counted = object.object("failures")
            failures = (counted?.names ?? []).compactMap { name in counted?.integer(name).map { (name, $0) } }
            terms = Terms(object.object("config"))
        }

        package static func == (left: Result, right: Result) -> Bool {
            left.verdict == right.verdict && left.target == right.target && left.successRate == right.successRate
                && left.pending == right.pending && left.terms == right.terms
                && left.responseTimes.elementsEqual(right.responseTimes, by: ==)
                && left.failures.elementsEqual(right.failures, by: ==)
        }
    }

    /// The id with which the result of the test can be requested.
    package let requestID: String
    package let terms: Terms
}
