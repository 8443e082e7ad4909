import OfferService

/// The content of the overview.
struct OverviewView: PageView {
    static let template = "overview"

    /// The result of a check of the service.
    struct Check: TemplateView {
        let tone: String
        let name: String
        let detail: String

        init(_ finding: ReadinessFinding) {
            tone = finding.isOK ? "good" : "bad"
            name = finding.name.firstUppercased.filter { $0 != "." }
            detail = finding.detail.firstUppercased
        }
    }

    /// A signing key in one app.
    struct KeyRow: TemplateView {
        let id: String
        let app: String
        let badge: BadgeView
        let signatures: String
        let lastUsed: RichText
        let nextStep: RichText

        init(_ status: KeyDesk.KeyStatus, _ time: ConsoleTime) {
            id = status.keyID
            app = status.bundleID
            badge = KeyBadge.view(status.stateName)
            signatures = ConsoleTime.number(status.signatures)
            lastUsed = status.lastSignedAt.map { time.live($0, withZone: false) } ?? "not in 24 h"
            nextStep =
                switch status.stateName {
                case "staged": "Activate when you want to rotate"
                case "retiring":
                    status.safeToRevokeAt.map { "Wait until \(time.live($0))" } ?? "None: another app signs with it"
                case "retired":
                    status.safeToRevokeAt == nil
                        ? "None: another app needs it" : "\(strong: "Revoke in App Store Connect now")"
                default: "None"
                }
        }
    }

    /// A row of the table of replicas.
    struct ReplicaRow: TemplateView {
        let address: String
        let badge: BadgeView
        let lastHeartbeat: RichText
        let started: RichText
        let version: String
        let clock: String
        /// In which ways the replica differs from the others.
        let differs: String

        init(_ replica: ReplicaComparison, _ time: ConsoleTime) {
            address = replica.address
            badge = replica.isAlive ? BadgeView(word: "Running", tone: "good") : BadgeView(word: "Not heard of", tone: "bad")
            lastHeartbeat = time.live(replica.lastHeartbeatAt)
            started = time.live(replica.startedAt)
            version = replica.version
            clock = replica.clockOffset.map { "\(ConsoleTime.number(Int($0)))\u{a0}ms" } ?? "–"
            differs =
                replica.differences.isEmpty
                ? (replica.isAlive ? "Nothing" : "–") : replica.differences.map(\.rawValue).joined(separator: ", ")
        }
    }

    let apps: String
    let now: RichText
    let attentionCount: String
    let hasAttention: Bool
    let attention: [AttentionView]
    let isReady: Bool
    /// Whether the checks of the service are shown.
    ///
    /// Readers who only work on campaigns do not see them.
    let seesChecks: Bool
    let checks: [Check]
    /// The figures; nil if they cannot be counted.
    let figures: OverviewFigures?
    let hasKeys: Bool
    let keys: [KeyRow]
    let hasReplicas: Bool
    let replicas: [ReplicaRow]
    let seesAudit: Bool

    /// - Parameter count: how many things need attention, shown or not.
    init(
        checks: [ReadinessFinding],
        attention: [AttentionView],
        count: Int,
        figures: OverviewFigures?,
        keys statuses: [KeyDesk.KeyStatus],
        replicas: [ReplicaComparison],
        for caller: Caller,
        time: ConsoleTime
    ) {
        apps = caller.apps?.sorted().joined(separator: ", ") ?? "All apps"
        now = time.at(time.now)
        attentionCount = count == 0 ? "" : ConsoleTime.count(count, "thing")
        hasAttention = !attention.isEmpty
        self.attention = attention
        isReady = checks.allSatisfy(\.isOK)
        seesChecks = caller.role.may(.replicas)
        self.checks = checks.map(Check.init)
        self.figures = figures
        hasKeys = !statuses.isEmpty
        keys = statuses.filter { $0.stateName != "revoked" }.map { KeyRow($0, time) }
        hasReplicas = replicas.count > 1
        self.replicas = replicas.map { ReplicaRow($0, time) }
        seesAudit = caller.role.may(.audit)
    }
}
