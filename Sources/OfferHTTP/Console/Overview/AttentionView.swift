import OfferService

/// An item of the overview: something that needs the reader's attention.
struct AttentionView: TemplateView {
    /// `bad`, `warn` or `info`.
    let tone: String
    let heading: String
    let text: String
    /// The link to the page where the reader can do something about it; nil if there is none.
    var link: LinkView?

    private static let openKeys = LinkView(href: "/console/keys", label: "Open keys")

    /// Returns the item about a readiness check that has failed.
    static func check(_ finding: ReadinessFinding) -> AttentionView {
        AttentionView(tone: "bad", heading: "Not ready: \(finding.name)", text: finding.detail.firstUppercased)
    }

    /// Returns an item for each way in which a replica differs from the others.
    static func differences(of replica: ReplicaComparison) -> [AttentionView] {
        replica.differences.map {
            AttentionView(
                tone: "warn", heading: "The replica \(replica.address) differs from the others", text: "It has \($0.sentence).")
        }
    }

    /// Returns the item about a proposed change to a signing key that waits for the reader to confirm it.
    static func proposal(_ pending: KeyChange.Pending, names: [String: String]) -> AttentionView {
        AttentionView(
            tone: "info",
            heading:
                "\(names[pending.proposedBy] ?? pending.proposedBy) asks you to confirm: \(pending.requestName) \(pending.keyID)",
            text: pending.reason.isEmpty ? "No reason was given." : "Reason: “\(pending.reason)”.", link: openKeys)
    }

    /// Returns the item about a signing key that can be revoked in App Store Connect, because nothing depends on it any more.
    static func safeToRevoke(keyID: String) -> AttentionView {
        AttentionView(
            tone: "warn", heading: "Safe to revoke key \(keyID) in App Store Connect now",
            text: "Nothing it signed can be redeemed any more.", link: LinkView(href: "/console/keys", label: "Open key"))
    }

    /// Returns the item for a warning that concerns signing keys.
    static func warning(_ warning: KeyWarning) -> AttentionView {
        AttentionView(tone: "warn", heading: warning.heading, text: warning.sentence.firstUppercased, link: openKeys)
    }

    /// Returns the item about access keys that expire soon.
    static func expiring(_ keys: [AccessKey]) -> AttentionView {
        AttentionView(
            tone: "warn", heading: "\(ConsoleTime.count(keys.count, "access key ends", "access keys end")) within 14 days",
            text: keys.map(\.note).joined(separator: ", "),
            link: LinkView(href: "/console/access?show=expiring", label: "Open access"))
    }
}
