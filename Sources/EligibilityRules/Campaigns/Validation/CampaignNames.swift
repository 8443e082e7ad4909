/// Checks the ids, names and texts of campaigns, variants and segments.
enum CampaignNames {
    private static let priorities = -1_000_000...1_000_000
    private static let maxHypothesis = 2000
    private static let maxTags = 10

    static func check(_ campaign: Campaign, _ findings: inout [CampaignFinding]) {
        check(id: campaign.id, at: "id", &findings)
        check(name: campaign.name, at: "name", &findings)
        check(hypothesis: campaign.hypothesis ?? "", &findings)
        check(tags: campaign.tags, &findings)
        if let placement = campaign.slot.placement { check(id: placement, at: "placement", &findings) }
        if let group = campaign.slot.exclusionGroup { check(id: group, at: "exclusionGroup", &findings) }
        if !priorities.contains(campaign.slot.priority) {
            findings.append(
                CampaignFinding(
                    "priority", .invalidPriority, "\(campaign.slot.priority) is out of range. Give a number up to a million."))
        }
        var seen: Set<String> = []
        for (index, variant) in campaign.design.variants.enumerated() {
            let path = "variants[\(index)].id"
            check(id: variant.id, at: path, &findings)
            if let name = variant.name {
                let path = "variants[\(index)].name"
                check(name: name, at: path, upTo: CampaignVariant.maxName, &findings)
                let isTaken = campaign.design.variants.enumerated().contains { place, other in
                    other.label == name && (place < index || place > index && other.name == nil)
                }
                if isTaken {
                    findings.append(
                        CampaignFinding(path, .invalidName, "Another variant is called `\(name)`. Give each its own name."))
                }
            }
            if variant.id == CampaignVariant.holdout {
                findings.append(
                    CampaignFinding(
                        path, .reservedVariant, "`holdout` stands for the customers who are held out. Choose another id."))
            }
            if !seen.insert(variant.id).inserted {
                findings.append(
                    CampaignFinding(path, .duplicateVariant, "Another variant has the id `\(variant.id)`. Give each its own id."))
            }
        }
    }

    /// Reports an id that is not in kebab-case: lower-case letters and digits, with single hyphens between them.
    static func check(id: String, at path: String, _ findings: inout [CampaignFinding]) {
        guard !Campaign.isID(id) else { return }
        findings.append(
            CampaignFinding(
                path, .invalidID,
                "`\(id)` is not an id. Give up to \(CampaignFinding.nameLimit) small letters, digits and hyphens, as in spring-winback."
            ))
    }

    static func check(name: String, at path: String, upTo max: Int = 200, _ findings: inout [CampaignFinding]) {
        if !name.isEmpty, name.allSatisfy(\.isWhitespace) {
            findings.append(CampaignFinding(path, .invalidName, "The name has only spaces. Give it a letter or a digit."))
        }
        guard !(1...max).contains(name.utf8.count) else { return }
        findings.append(CampaignFinding(path, .invalidName, "The name has \(name.utf8.count) bytes. Give it 1 to \(max)."))
    }

    private static func check(hypothesis: String, _ findings: inout [CampaignFinding]) {
        func refuse(_ message: String) { findings.append(CampaignFinding("hypothesis", .invalidHypothesis, message)) }
        if hypothesis.utf8.count > maxHypothesis {
            refuse("It has \(hypothesis.utf8.count) bytes. Give it \(maxHypothesis) at most.")
        }
        if hypothesis.unicodeScalars.contains(where: { $0.properties.generalCategory == .control && $0 != "\n" }) {
            refuse("It has a control character. Give plain text; only line breaks may stand between its lines.")
        }
    }

    private static func check(tags: [String], _ findings: inout [CampaignFinding]) {
        func refuse(_ path: String, _ message: String) { findings.append(CampaignFinding(path, .invalidTag, message)) }
        if tags.count > maxTags { refuse("tags", "There are \(tags.count) tags. Give \(maxTags) at most.") }
        for (index, tag) in tags.enumerated() {
            if !Campaign.isID(tag) {
                refuse("tags[\(index)]", "`\(tag)` is not a tag. Give small letters, digits and hyphens, as in win-back.")
            } else if tags[..<index].contains(tag) {
                refuse("tags[\(index)]", "The tag `\(tag)` stands there twice. Leave one out.")
            }
        }
    }
}

extension Campaign {
    /// Whether a text can be a campaign's id: kebab-case, at most 64 bytes.
    public static func isID(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: 0x2D, omittingEmptySubsequences: false)
        let isKebab = parts.allSatisfy { part in
            !part.isEmpty && part.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) }
        }
        return isKebab && text.utf8.count <= CampaignFinding.nameLimit
    }
}
