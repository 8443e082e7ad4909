/// Something about a campaign or segment that its author should know, with the field and the remedy.
public struct CampaignFinding: Hashable, Sendable {
    /// How much it matters.
    public enum Severity: String, Sendable, Comparable {
        /// It works, and perhaps not as meant.
        case warning
        /// It cannot be published.
        case error

        /// Errors are greater.
        public static func < (left: Severity, right: Severity) -> Bool { left == .warning && right == .error }
    }

    /// In bytes.
    static let nameLimit = 64

    /// The field, as in `variants[1].offers[0].offerId`.
    public let path: String
    /// What it is.
    public let code: Code
    /// How much it matters.
    public let severity: Severity
    /// What is wrong with the value, then what to do.
    public let message: String

    init(_ path: String, _ code: Code, _ message: String, severity: Severity = .error) {
        self.path = path
        self.code = code
        self.severity = severity
        self.message = message
    }

    /// That a field could not be read at all.
    public static func unreadable(_ path: String, _ message: String) -> CampaignFinding {
        CampaignFinding(path, .unreadable, message)
    }

    static func tooLarge(at path: String) -> CampaignFinding {
        CampaignFinding(
            path, .tooLarge,
            "There are more than \(ConditionCompiler.maxCount) conditions, or groups more than \(ConditionCompiler.maxDepth) deep,"
                + " segments included. Split it up.")
    }

    /// The same, told from where the segment is named.
    func inside(segment id: String, at path: String) -> CampaignFinding {
        let isToldWhole = code == .segmentCycle || code == .tooLarge
        return CampaignFinding(path, code, isToldWhole ? message : "In segment `\(id)`: \(message)", severity: severity)
    }
}
