import EligibilityRules
import FoundationEssentials
import WireText

/// Describes the faults of a campaign in the words of its form. For example, the form has percentages, and the rules have basis
/// points.
struct FindingWords {
    let form: CampaignForm
    /// The reader's time zone.
    let zone: TimeZone

    /// Returns a text that says what is wrong and what to do.
    func text(_ finding: CampaignFinding) -> String {
        switch finding.code {
        case .weightsDoNotAddUp: weights ?? Self.plain(finding.message)
        case .invalidWeight, .invalidShare: "“\(typed(finding.path))” is not a share. Give a percentage from 0 to 100."
        case .variantWithoutWeight: "No customer gets a variant with a weight of 0 %. Give it a share, or remove it."
        case .unreadable: unreadable(finding)
        case .invalidGoal: goal(finding)
        default: Self.plain(finding.message)
        }
    }

    private var weights: String? {
        let points = form.variants.compactMap { DecimalShift.text($0.weight.trimmed, by: 2).flatMap { Int($0) } }
        guard points.count == form.variants.count, points.allSatisfy({ (0...Bucket.count).contains($0) }) else { return nil }
        let rest = Bucket.count - points.reduce(0, +)
        let sum = form.variants.map(\.weight.trimmed).joined(separator: " + ")
        let remedy =
            rest > 0
            ? "Give the last \(SplitBar.percent(rest)) to a variant, or split evenly."
            : "Take \(SplitBar.percent(-rest)) away from one, or split evenly."
        return "\(sum) is \(SplitBar.percent(Bucket.count - rest)). The weights must add up to 100\u{a0}%. \(remedy)"
    }

    private func goal(_ finding: CampaignFinding) -> String {
        switch finding.path {
        case FormField.metric.path:
            let name = finding.message.split(separator: "`").dropFirst(2).first.map { "“\($0)”" } ?? "a variant"
            return "“Redeemed the offer” cannot be counted for \(name), which has no offer. Choose another success."
        case FormField.expected.path where form[.metric] != "revenue", FormField.detect.path where form[.metric] != "revenue":
            break
        default: return Self.plain(finding.message)
        }
        guard let value = Double(typed(finding.path)), value > 0, value < 100 else {
            return "“\(typed(finding.path))” is not a percentage between 0 and 100. Give one such as 2.5, or leave it empty."
        }
        return "\(form[.expected])\u{a0}% and \(form[.detect]) points more is above 100\u{a0}%. Give a smaller difference."
    }

    private func unreadable(_ finding: CampaignFinding) -> String {
        let path = finding.path
        let typed = typed(path)
        let field = FormField.at(path)?.with(metric: form[.metric])
        switch field?.kind {
        case .number(by: 0) where path.hasPrefix("goal.") && path != FormField.customersPerDay.path:
            return "“\(typed)” is not an amount of money. Give a number such as 0.50, or leave it empty."
        case .number(by: 2): return Self.share(typed)
        case .number(by: -2):
            return "“\(typed)” is not a percentage. Give a number between 0 and 100, such as 2.5, or leave it empty."
        case .number(by: 0) where path == FormField.sampleSize.path:
            return typed.isEmpty
                ? "The number of customers is missing. Give one, or choose “Any day, as often as you like”."
                : "“\(typed)” is not a whole number. Give one such as 8000."
        case .number: return "“\(typed)” is not a whole number. Give one such as 10, or leave it empty."
        case .period: return "“\(typed)” is not a length of time. Give a whole number from 1 to 9999."
        case .moment:
            return path == FormField.from.path ? form.from.fault(in: zone, isEnd: false) : form.until.fault(in: zone, isEnd: true)
        case .text, .prose, .required, .words, .flag, nil: break
        }
        switch path {
        case _ where path.hasSuffix(".weight"): return Self.share(typed)
        case _ where path.hasPrefix("audience"):
            return finding.message.contains("must be a number")
                ? "A number is wanted here. Give one, or remove the condition." : "This cannot be used: \(Self.said(finding))"
        default: return Self.said(finding).firstUppercased
        }
    }

    /// Returns what is typed into the input of a field.
    private func typed(_ path: String) -> String {
        if let field = FormField.at(path) { return form[field] }
        guard let match = path.firstMatch(of: /^variants\[([0-9]+)\]\.weight$/), let index = Int(match.1),
            form.variants.indices.contains(index)
        else { return "" }
        return form.variants[index].weight
    }

    private static func share(_ typed: String) -> String {
        typed.isEmpty
            ? "The percentage is missing. Give one from 0 to 100."
            : "“\(typed)” is not a percentage. Give a number from 0 to 100, with two decimals at most, such as 12.5."
    }

    private static func said(_ finding: CampaignFinding) -> String {
        let text = finding.message.hasPrefix("It ") ? "it " + finding.message.dropFirst(3) : finding.message
        return plain(text)
    }

    /// Returns the text with quotation marks instead of backticks, and without the ids after names.
    static func plain(_ text: String) -> String {
        var isOpen = false
        return text.replacing(#/ \(`[^`]*`\)/#, with: "").reduce(into: "") { plain, letter in
            guard letter == "`" else { return plain.append(letter) }
            plain += isOpen ? "”" : "“"
            isOpen.toggle()
        }
    }
}
