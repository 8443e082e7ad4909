import EligibilityRules
import OfferService
import WireText

/// A file of campaigns, in JSON if its name ends in `.json`, otherwise in YAML.
struct CampaignFile {
    let path: String
    let document: CampaignDocument
    private let lines: [String: Int]

    /// Reads a file. Throws all faults in its form at once.
    init(path: String) throws(CampaignFileFindings) {
        self.path = path
        let text: String
        do { text = try TextFile.read(path) } catch { throw CampaignFileFindings(file: path, error.problems) }
        let (value, lines, notation) = try CampaignFile.value(text, path)
        do {
            document = try CampaignDocument(json: value, notation)
            self.lines = lines
        } catch {
            throw CampaignFileFindings(
                all: error.faults.map { fault in
                    CampaignFileFinding(
                        file: path, line: CampaignFile.line(of: fault.name, lines), severity: .error, path: fault.name,
                        message: fault.reason)
                })
        }
    }

    /// Reads several files. Throws the faults of all of them at once.
    static func all(_ paths: [String]) throws(CampaignFileFindings) -> [CampaignFile] {
        var files: [CampaignFile] = []
        var findings: [CampaignFileFinding] = []
        for path in paths {
            do throws(CampaignFileFindings) { files.append(try CampaignFile(path: path)) } catch { findings += error.all }
        }
        guard findings.isEmpty else { throw CampaignFileFindings(all: findings) }
        return files
    }

    /// Returns a finding about the document with the file and the line that it is about.
    func finding(_ finding: DocumentFinding) -> CampaignFileFinding {
        CampaignFileFinding(
            file: path, line: CampaignFile.line(of: finding.path, lines), severity: finding.severity, path: finding.path,
            message: finding.message)
    }

    private static func value(
        _ text: String,
        _ path: String
    ) throws(CampaignFileFindings) -> (JSONValue, [String: Int], DocumentNotation) {
        if path.lowercased().hasSuffix(".json") {
            do throws(JSONParser.Fault) {
                return (try JSONValue(parsing: Array(text.utf8)), [:], .json)
            } catch {
                let line = text.utf8.prefix(error.offset).count { $0 == UInt8(ascii: "\n") } + 1
                throw CampaignFileFindings(file: path, ["is not JSON: line \(line): \(error.reason)"])
            }
        }
        do throws(ConfigurationError) {
            let document = try YAMLDocument(text)
            return (document.value, document.lines, .yaml)
        } catch {
            throw CampaignFileFindings(file: path, error.problems.map { "is not YAML: \($0)" })
        }
    }

    /// Returns the line of a field, or of the nearest field around it; nil for JSON, whose lines are not known.
    private static func line(of path: String, _ lines: [String: Int]) -> Int? {
        var path = path[...]
        while true {
            if let line = lines[String(path)] { return line }
            guard let end = path.lastIndex(where: { $0 == "." || $0 == "[" }) else { return lines[""] }
            path = path[..<end]
        }
    }
}

/// A finding about a file of campaigns, in the form that compilers use.
struct CampaignFileFinding {
    let file: String
    /// The line, from 1; nil if it is not known.
    let line: Int?
    let severity: CampaignFinding.Severity
    /// The path of the field; empty if the finding is about the whole file.
    let path: String
    let message: String

    /// The finding in one line, such as `campaigns.yaml:14: error: campaigns[0].variants: …`.
    var text: String {
        "\(file)\(line.map { ":\($0)" } ?? ""): \(severity.rawValue): \(path.isEmpty ? "" : "\(path): ")\(message)"
    }

    /// Sorts findings by file and line. Findings of one line keep their order.
    static func byLine(_ findings: [CampaignFileFinding]) -> [CampaignFileFinding] {
        let files = findings.map(\.file)
        return findings.enumerated().sorted { left, right in
            let places = [left, right].map { (files.firstIndex(of: $0.element.file)!, $0.element.line ?? 0, $0.offset) }
            return places[0] < places[1]
        }.map(\.element)
    }
}

/// All faults in the form of some files of campaigns.
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
