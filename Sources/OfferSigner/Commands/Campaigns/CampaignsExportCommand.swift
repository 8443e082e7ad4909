import ArgumentParser
import EligibilityRules
import OfferService
import WireText

/// Writes the campaigns of the store as a file.
struct CampaignsExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write campaigns as YAML, as they are published or as drafts.",
        discussion:
            "To standard output. Campaigns that have ended, and what was never published, are left out unless they are named.")

    @OptionGroup var options: ConfigurationOptions

    @Option(name: .customLong("app"), help: ArgumentHelp("Those of this app only.", valueName: "bundle id"))
    var bundleID: String?

    @Flag(help: "Write the draft, if there is one, instead of the published revision.")
    var drafts = false

    @Argument(help: ArgumentHelp("These campaigns only.", valueName: "id"))
    var ids: [String] = []

    func run() async throws {
        let door = try CommandDoor(options)
        let desk = door.campaigns
        var document = CampaignDocument(campaigns: [])
        for app in desk.apps.all where bundleID == nil || app.bundleID == bundleID {
            for campaign in try await desk.all(of: app) where ids.isEmpty || ids.contains(campaign.name.id) {
                if ids.isEmpty, !drafts, campaign.state == .ended { continue }
                let text = drafts || !ids.isEmpty ? campaign.text : campaign.published?.text
                guard let text else { continue }
                guard let written = text.campaign else {
                    StandardError.note("note: the draft of \(campaign.name.id) is left out: some of it cannot be read yet")
                    continue
                }
                document.campaigns.append(written)
            }
        }
        let found = Set(document.campaigns.map(\.id))
        for id in ids where !found.contains(id) { StandardError.note("there is no campaign \(id)") }
        print(lines: CampaignYAML.text(document), terminator: "")
        try door.closeUnchanged()
        guard ids.allSatisfy(found.contains) else { throw ExitCode.failure }
    }
}

/// Writes campaigns as YAML that can be imported again. The same campaigns always give the same text.
enum CampaignYAML {
    /// Returns the text of a file.
    static func text(_ document: CampaignDocument) -> String { lines(document.json, indent: 0).joined(separator: "\n") + "\n" }

    private static func lines(_ value: JSONValue, indent: Int) -> [String] {
        let space = String(repeating: " ", count: indent)
        switch value {
        case .object(let members):
            return members.flatMap { member -> [String] in
                if let flow = flow(member.value) { return ["\(space)\(member.name): \(flow)"] }
                return ["\(space)\(member.name):"] + lines(member.value, indent: indent + 2)
            }
        case .array(let items):
            return items.flatMap { item -> [String] in
                if let flow = flow(item) { return ["\(space)- \(flow)"] }
                let inner = lines(item, indent: indent + 2)
                return ["\(space)- \(inner[0].dropFirst(indent + 2))"] + inner.dropFirst()
            }
        default: return [space + scalar(value)]
        }
    }

    /// Returns a value in one line; nil if the line would be too long or hard to read.
    private static func flow(_ value: JSONValue) -> String? {
        let text: String
        switch value {
        case .object(let members):
            let parts = members.compactMap { member in flow(member.value).map { "\(member.name): \($0)" } }
            guard parts.count == members.count, !members.contains(where: { $0.value.isGroup }) else { return nil }
            text = "{\(parts.joined(separator: ", "))}"
        case .array(let items):
            let parts = items.compactMap { $0.isGroup ? nil : flow($0) }
            guard parts.count == items.count else { return nil }
            text = "[\(parts.joined(separator: ", "))]"
        default: return scalar(value)
        }
        return text.utf8.count <= 100 ? text : nil
    }

    private static func scalar(_ value: JSONValue) -> String {
        guard case .string(let text) = value, isPlain(text) else { return String(decoding: value.bytes, as: UTF8.self) }
        return text
    }

    /// Whether YAML reads the text as the same text if it stands without quotes.
    private static func isPlain(_ text: String) -> Bool {
        let words: Set = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"]
        guard let first = text.utf8.first, text.utf8.last != UInt8(ascii: " "), !words.contains(text.lowercased()) else {
            return false
        }
        let isLetter = { (byte: UInt8) in (byte | 0x20) >= UInt8(ascii: "a") && (byte | 0x20) <= UInt8(ascii: "z") }
        return isLetter(first) && text.utf8.allSatisfy { isLetter($0) || ($0 >= 0x30 && $0 <= 0x39) || " .-_".utf8.contains($0) }
    }
}

extension JSONValue {
    /// Whether the value is an object or has objects, and so is easier to read on lines of its own.
    fileprivate var isGroup: Bool {
        switch self {
        case .object: true
        case .array(let items): items.contains { if case .object = $0 { true } else { false } }
        default: false
        }
    }
}
