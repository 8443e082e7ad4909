import OfferService

/// Whether the audit log is intact.
struct AuditVerdictView: TemplateView {
    private static let maxFaults = 20

    let tone: String
    /// The result in a few words.
    let badge: String
    /// The result in one sentence.
    let summary: String
    /// When the check ended.
    let at: RichText
    /// The duration of the check.
    let seconds: String
    let hasFaults: Bool
    let faults: [String]

    init(_ verdict: AuditVerdict, _ time: ConsoleTime) {
        tone = verdict.isIntact ? (verdict.isProven ? "good" : "warn") : "bad"
        badge = verdict.isIntact ? (verdict.isProven ? "Chain verified" : "Not sealed") : "Changed"
        summary = verdict.summary.firstUppercased
        at = time.at(verdict.checkedAt)
        seconds = "\(verdict.milliseconds / 1000).\(verdict.milliseconds % 1000 / 100)"
        hasFaults = !verdict.faults.isEmpty
        faults = Array(verdict.faults.prefix(Self.maxFaults))
    }
}
