import EligibilityRules

/// A finding about a file of campaigns, in the form that compilers use.
struct CampaignFileFinding {
    let file: String
    /// The line, from 1; nil if it is not known.
    let line: Int?
    let severity: CampaignFinding.Severity
    /// The field; empty for the whole file.
    let path: String
    let message: String

    /// `campaigns.yaml:14: error: campaigns[0].variants: …`
    var text: String {
        "\(file)\(line.map { ":\($0)" } ?? ""): \(severity.rawValue): \(path.isEmpty ? "" : "\(path): ")\(message)"
    }

    /// Returns findings from the top of each file to its end. Findings of one line keep their order.
    static func byLine(_ findings: [CampaignFileFinding]) -> [CampaignFileFinding] {
        let files = findings.map(\.file)
        return findings.enumerated().sorted { left, right in
            let places = [left, right].map { (files.firstIndex(of: $0.element.file)!, $0.element.line ?? 0, $0.offset) }
            return places[0] < places[1]
        }.map(\.element)
    }
}

/// All faults in the form of files of campaigns.
struct CampaignFileFindings: Error, CustomStringConvertible {
    let all: [CampaignFileFinding]

    init(all: [CampaignFileFinding]) { self.all = all }

    /// - Parameter problems: the faults of the whole file, one sentence each.
    init(file: String, _ problems: [String]) {
        all = problems.map {
            let message = $0.hasPrefix("\(file) ") ? String($0.dropFirst(file.utf8.count + 1)) : $0
            return CampaignFileFinding(file: file, line: nil, severity: .error, path: "", message: message)
        }
    }

    var description: String { all.map(\.text).joined(separator: "\n") }
}
