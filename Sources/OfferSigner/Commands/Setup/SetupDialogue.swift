import Glibc
import WireText

/// The answers of options and, on a terminal, of the person at it.
struct SetupDialogue {
    /// Whether missing and wrong answers are asked for.
    let asks: Bool
    /// The faults of options, one sentence each; none where it asks.
    private(set) var faults: [String] = []

    init(asks: Bool) { self.asks = asks }

    /// Whether a person can answer.
    static var isOnTerminal: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 }

    /// Returns the answer to a question; nil if it is left out or, where nothing is asked, wrong.
    ///
    /// - Parameters:
    ///   - given: the option's value.
    ///   - fault: returns the reason why an answer cannot be used, with the remedy.
    mutating func answer(
        _ text: String,
        option: String,
        isOptional: Bool = false,
        given: String?,
        fault: (String) -> String?
    ) throws -> String? {
        if let given {
            guard let reason = fault(given) else { return given }
            guard note(option, reason) else { return nil }
        } else if !asks {
            if !isOptional { faults.append("\(option) is missing: \(text)") }
            return nil
        }
        while true {
            StandardError.write(lines: "\(text)\(isOptional ? " (Enter: leave it out)" : ""): ")
            guard let line = readLine() else { throw CommandRefusal("the input ended; nothing was written") }
            let answer = line.trimmed
            if answer.isEmpty, isOptional { return nil }
            guard let reason = answer.isEmpty ? "an answer is needed" : fault(answer) else { return answer }
            StandardError.note("  \(reason)")
        }
    }

    /// Reports a wrong option. Returns whether the answer is asked for instead.
    private mutating func note(_ option: String, _ reason: String) -> Bool {
        if asks { StandardError.note("\(option): \(reason)") } else { faults.append("\(option): \(reason)") }
        return asks
    }
}
