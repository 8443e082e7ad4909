/// An error or a warning about a campaign or segment, with the field and the remedy.
public struct CampaignFinding: Hashable, Sendable {
    /// How serious a finding is.
    public enum Severity: String, Sendable, Comparable {
        /// It works, but perhaps not as intended.
        case warning
        /// It cannot be published.
        case error

        /// Orders warnings before errors.
        public static func < (left: Severity, right: Severity) -> Bool { left == .warning && right == .error }
    }

    /// The longest id or attribute name, in bytes.
    static let nameLimit = 64

    /// The field, as in `variants[1].offers[0].offerId`.
    public let path: String
    /// The kind of the finding.
    public let code: Code
    /// How serious it is.
    public let severity: Severity
    /// What is wrong with the value, then what to do.
    public let message: String

    init(_ path: String, _ code: Code, _ message: String, severity: Severity = .error) {
        self.path = path
        self.code = code
        self.severity = severity
        self.message = message
    }

    /// Returns the finding that a field cannot be read.
    public static func unreadable(_ path: String, _ message: String) -> CampaignFinding {
        CampaignFinding(path, .unreadable, message)
    }

    static func tooLarge(at path: String) -> CampaignFinding {
        CampaignFinding(
            path, .tooLarge,
            "It has more than \(ConditionCompiler.maxCount) conditions, or nests groups deeper than \(ConditionCompiler.maxDepth),"
                + " segments included. Split it up.")
    }

    /// Returns the finding as it is reported where the segment is named.
    func inside(segment id: String, at path: String) -> CampaignFinding {
        let isAboutSegment = code == .segmentCycle || code == .tooLarge
        return CampaignFinding(path, code, isAboutSegment ? message : "In segment `\(id)`: \(message)", severity: severity)
    }
}
