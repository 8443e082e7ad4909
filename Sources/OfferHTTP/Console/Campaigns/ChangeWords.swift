import EligibilityRules
import OfferService

/// Describes the differences between two versions of a campaign in the words of marketing.
struct ChangeWords {
    // The names of those fields that consist of several inputs or have none.
    private static let others = [
        "bundleId": "App", "audience": "Who gets it", "variants": "Variants", "the text": "Text",
    ]

    let visit: CampaignVisit

    /// Returns the changes, one for each field.
    func rows(from old: CampaignText?, to new: CampaignText?) -> [ChangeView] {
        CampaignText.changes(from: old.map(readable), to: new.map(readable)).map(row)
    }

    private func row(_ line: String) -> ChangeView {
        guard let colon = line.firstRange(of: ": ") else { return ChangeView("All of it", words: line) }
        let (field, rest) = (String(line[..<colon.lowerBound]), String(line[colon.upperBound...]))
        let label =
            FormField.at(field)?.told ?? Self.others[field]
            ?? (field.hasPrefix("variant ") ? "Variant \(field.dropFirst(8))" : field.firstUppercased.dropStop)
        let sides = rest.split(separator: " → ", omittingEmptySubsequences: false).map(String.init)
        guard sides.count == 2 else { return ChangeView(label, words: rest) }
        return ChangeView(label, from: value(sides[0], of: field), to: value(sides[1], of: field))
    }

    private func value(_ text: String, of field: String) -> RichText {
        switch FormField.at(field)?.kind {
        case .moment: if case .at(let instant)? = ConditionTime(text) { return visit.planned(instant) }
        case .period: return RichText(PeriodWords.text(text))
        case .number(by: -2): if let percent = DecimalShift.text(text, by: 2) { return RichText(percent + "\u{a0}%") }
        default: break
        }
        return RichText(text)
    }

    /// Returns the text with the audience's condition as people read it.
    private func readable(_ text: CampaignText) -> CampaignText {
        guard var campaign = text.campaign else { return text }
        campaign.audience = campaign.audience?.named(in: visit.app.catalogue)
        campaign.segments = campaign.segments.map { $0.named(in: visit.app.catalogue) }
        return CampaignText(json: campaign.json)
    }
}

extension String {
    /// The text without the full stop at the end.
    var dropStop: String { hasSuffix(".") ? String(dropLast()) : self }
}
