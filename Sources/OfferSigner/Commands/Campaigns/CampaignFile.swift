import EligibilityRules
import OfferService
import WireText

/// A file of campaigns: YAML, or JSON if its name ends in that.
struct CampaignFile {
    let path: String
    let document: CampaignDocument
    private let lines: [String: Int]

    /// Reads a file. Throws all faults of its form.
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

    /// Reads several files. Throws the faults of all of them.
    static func all(_ paths: [String]) throws(CampaignFileFindings) -> [CampaignFile] {
        var files: [CampaignFile] = []
        var findings: [CampaignFileFinding] = []
        for path in paths {
            do throws(CampaignFileFindings) { files.append(try CampaignFile(path: path)) } catch { findings += error.all }
        }
        guard findings.isEmpty else { throw CampaignFileFindings(all: findings) }
        return files
    }

    /// Returns a finding about the document, with its line.
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

    /// Returns the line of a field, or of what would contain it.
    private static func line(of path: String, _ lines: [String: Int]) -> Int? {
        var path = path[...]
        while true {
            if let line = lines[String(path)] { return line }
            guard let end = path.lastIndex(where: { $0 == "." || $0 == "[" }) else { return lines[""] }
            path = path[..<end]
        }
    }
}
