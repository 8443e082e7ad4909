import OfferService

/// Something on the overview that needs attention.
struct AttentionView: TemplateView {
    /// `bad`, `warn` or `info`.
    let tone: String
    let heading: String
    let text: String
    /// Where to attend to it.
    var link: LinkView?

    private static let openKeys = LinkView(href: "/console/keys", label: "Open keys")

    /// Returns the item of a check that fails.
    static func check(_ finding: ReadinessFinding) -> AttentionView {
        AttentionView(tone: "bad", heading: "Not ready: \(finding.name)", text: finding.detail.firstUppercased)
    }

    /// Returns the items of a replica that differs from the others.
    static func differences(of replica: ReplicaComparison) -> [AttentionView] {
        replica.differences.map {
            AttentionView(
                tone: "warn", heading: "The replica \(replica.address) differs from the others", text: "It has \($0.sentence).")
        }
    }

    /// Returns the item of a proposal that waits for the reader.
    static func proposal(_ pending: KeyChange.Pending, names: [String: String]) -> AttentionView {
        AttentionView(
            tone: "info",
            heading:
                "\(names[pending.proposedBy] ?? pending.proposedBy) asks you to confirm: \(pending.requestName) \(pending.keyID)",
            text: pending.reason.isEmpty ? "No reason was given." : "Reason: “\(pending.reason)”.", link: openKeys)
    }

    /// Returns the item of a key that nothing depends on.
    static func safeToRevoke(keyID: String) -> AttentionView {
        AttentionView(
            tone: "warn", heading: "Safe to revoke key \(keyID) in App Store Connect now",
            text: "Nothing it signed can be redeemed any more.", link: LinkView(href: "/console/keys", label: "Open key"))
    }

    /// Returns the item of a warning about keys.
    static func warning(_ warning: KeyWarning) -> AttentionView {
        AttentionView(tone: "warn", heading: warning.heading, text: warning.sentence.firstUppercased, link: openKeys)
    }

    /// Returns the item of access keys that end soon.
    static func expiring(_ keys: [AccessKey]) -> AttentionView {
        AttentionView(
            tone: "warn", heading: "\(ConsoleTime.count(keys.count, "access key ends", "access keys end")) within 14 days",
            text: keys.map(\.note).joined(separator: ", "),
            link: LinkView(href: "/console/access?show=expiring", label: "Open access"))
    }
}
