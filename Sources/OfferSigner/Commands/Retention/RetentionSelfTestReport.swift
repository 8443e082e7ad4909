import WireText

/// The result of Apple's performance test, run from here.
struct RetentionSelfTestReport {
    /// The outcome of an answer.
    enum Outcome: Hashable {
        /// A right answer, with what it shows.
        case right(String)
        /// A wrong answer, with its fault.
        case wrong(String)
    }

    /// One answer.
    struct Answer {
        let microseconds: Int64
        let outcome: Outcome
    }

    /// The percentage of answers that must be right and in time.
    private static let threshold = 95

    let target: String
    let concurrent: Int
    /// The time within which an answer counts, in ms.
    let deadline: Int
    let answers: [Answer]

    private var good: Int {
        answers.count { answer in
            if case .right = answer.outcome { answer.microseconds <= Int64(deadline) * 1000 } else { false }
        }
    }

    /// Whether Apple's terms are met, with the given deadline.
    var isPassed: Bool { good * 100 >= answers.count * Self.threshold }

    /// The report for people.
    var lines: [String] {
        let times = answers.map(\.microseconds).sorted()
        func milliseconds(_ microseconds: Int64) -> String { "\(microseconds / 1000).\(microseconds % 1000 / 100) ms" }
        func share(_ percent: Int) -> String { milliseconds(times[(times.count * percent + 99) / 100 - 1]) }
        let kinds = Dictionary(grouping: answers, by: \.outcome).mapValues(\.count).sorted { $0.value > $1.value }
        var lines = [
            "\(answers.count) requests, \(concurrent) at once, to \(target)",
            "p50 \(share(50)), p95 \(share(95)), p99 \(share(99)), slowest \(milliseconds(times.last ?? 0))",
        ]
        for (kind, count) in kinds {
            switch kind {
            case .right(let name): lines.append("\(count) × \(name)")
            case .wrong(let reason): lines.append("\(count) × wrong: \(reason)")
            }
        }
        lines.append(
            "\(isPassed ? "PASS" : "FAIL"): \(good) of \(answers.count) right and within \(deadline) ms; Apple asks for \(Self.threshold) %"
        )
        return lines
    }
}
