import HTTPTypes
import Hummingbird
import OfferService

/// The overview: what needs attention.
struct OverviewPage: Sendable {
    private struct Item {
        let tone, heading, text: String
        var href = ""
        var label = ""
    }

    let route: ConsoleRoute
    let keys: KeyAdministration
    let replicas: ReplicaDesk
    let access: AccessDesk
    let checks: [ReadinessCheck]
    let names: CallerNames
    let apps: AppDirectory
    let tallies: OfferTallies
    let answerTimes: @Sendable () -> AnswerTimes

    var routes: [OperationRoute] {
        [
            route.get("/", .console) { _, visitor in try await page(visitor) }
        ]
    }

    private func page(_ visitor: ConsoleVisitor) async throws -> Response {
        let (time, caller) = (route.pages.time(for: visitor), visitor.caller)
        let statuses = caller.role.may(.keys) ? try await keys.list(for: caller) : []
        let checks = await ReadinessFinding.all(of: checks)
        var items = checks.filter { !$0.isOK }.map {
            Item(tone: "bad", heading: "Not ready: \($0.name)", text: $0.detail.firstUppercased)
        }
        let replicas = caller.role.may(.replicas) ? (try? await replicas.comparisons()) ?? [] : []
        items += replicas.flatMap(Self.items)
        if caller.role.may(.keys) { items += try await keyItems(caller, statuses, time) }
        if caller.role.may(.access) { items += try await accessItems(caller, time) }
        var values: [String: Any] = [
            "apps": caller.apps?.sorted().joined(separator: ", ") ?? "All apps", "now": time.at(time.now),
            "attentionCount": items.isEmpty ? "" : ConsoleTime.count(items.count, "thing"), "hasAttention": !items.isEmpty,
            "attention": items.map { item -> [String: Any] in
                var values: [String: Any] = [
                    "tone": item.tone, "heading": item.heading, "text": ByteEscaping().escapeText(item.text),
                ]
                if !item.href.isEmpty { values["href"] = item.href }
                values["label"] = item.label
                return values
            },
            "isReady": checks.allSatisfy(\.isOK),
            "checks": checks.map {
                [
                    "tone": $0.isOK ? "good" : "bad", "name": $0.name.firstUppercased.filter { $0 != "." },
                    "detail": $0.detail.firstUppercased,
                ]
            },
            "hasKeys": !statuses.isEmpty, "keys": statuses.filter { $0.stateName != "revoked" }.map { row($0, time) },
            "hasReplicas": replicas.count > 1, "replicas": replicas.map { row($0, time) },
            "seesAudit": caller.role.may(.audit),
        ]
        // If figures cannot be counted, the rest of the page reports why.
        let figures = try? await tallies.figures()
        if let figures {
            values["figures"] =
                OverviewFigures(
                    figures: figures, apps: apps.bundleIDs.filter(caller.mayUse).sorted(),
                    additionalEnvironments: apps.additionalEnvironments.filter { caller.mayUse(app: $0.bundleID) }.map(
                        \.partitionName), times: answerTimes(),
                    time: time
                ).values
        }
        var response = route.pages.page(.overview, values, title: "Overview", at: .overview, for: visitor)
        if figures?.isWhole == false { response.headers[HTTPField.Name("Refresh")!] = "2" }
        return response
    }

    private func keyItems(_ caller: Caller, _ statuses: [KeyDesk.KeyStatus], _ time: ConsoleTime) async throws -> [Item] {
        let names = try await names.all()
        var items = try await keys.pending(for: caller).filter { $0.proposedBy != caller.id }.map {
            Item(
                tone: "info",
                heading: "\(names[$0.proposedBy] ?? $0.proposedBy) asks you to confirm: \($0.requestName) \($0.keyID)",
                text: $0.reason.isEmpty ? "No reason was given." : "Reason: “\($0.reason)”.", href: "/console/keys",
                label: "Open keys")
        }
        let safe = statuses.filter { $0.stateName == "retired" && $0.safeToRevokeAt.map { $0 <= time.now } == true }
        items += Set(safe.map(\.keyID)).sorted().map {
            Item(
                tone: "warn", heading: "Safe to revoke key \($0) in App Store Connect now",
                text: "Nothing it signed can be redeemed any more.", href: "/console/keys", label: "Open key")
        }
        return items
            + keys.warnings(statuses).map {
                Item(
                    tone: "warn", heading: $0.heading, text: $0.sentence.firstUppercased, href: "/console/keys",
                    label: "Open keys")
            }
    }

    private static func items(of replica: ReplicaComparison) -> [Item] {
        replica.differences.map {
            Item(tone: "warn", heading: "The replica \(replica.address) differs from the others", text: "It has \($0.sentence).")
        }
    }

    private func accessItems(_ caller: Caller, _ time: ConsoleTime) async throws -> [Item] {
        let expiring = try await access.list(for: caller).filter { AccessFilter.expiring.takes($0, at: time.now) }
        guard !expiring.isEmpty else { return [] }
        return [
            Item(
                tone: "warn",
                heading: "\(ConsoleTime.count(expiring.count, "access key ends", "access keys end")) within 14 days",
                text: expiring.map(\.note).joined(separator: ", "), href: "/console/access?show=expiring", label: "Open access")
        ]
    }

    private func row(_ replica: ReplicaComparison, _ time: ConsoleTime) -> [String: Any] {
        [
            "address": replica.address, "version": replica.version, "started": time.live(replica.startedAt),
            "tone": replica.isAlive ? "good" : "bad", "state": replica.isAlive ? "Running" : "Not heard of",
            "lastHeartbeat": time.live(replica.lastHeartbeatAt),
            "clock": replica.clockOffset.map { "\(ConsoleTime.number(Int($0)))\u{a0}ms" } ?? "–",
            "differs": replica.differences.isEmpty
                ? (replica.isAlive ? "Nothing" : "–") : replica.differences.map(\.rawValue).joined(separator: ", "),
        ]
    }

    private func row(_ status: KeyDesk.KeyStatus, _ time: ConsoleTime) -> [String: Any] {
        let badge = KeyBadge(status.stateName)
        let step =
            switch status.stateName {
            case "staged": "Activate when you want to rotate"
            case "retiring": status.safeToRevokeAt.map { "Wait until \(time.live($0))" } ?? "None: another app signs with it"
            case "retired": status.safeToRevokeAt == nil ? "None: another app needs it" : "<b>Revoke in App Store Connect now</b>"
            default: "None"
            }
        return [
            "id": status.keyID, "app": status.bundleID, "state": badge.state, "tone": badge.tone,
            "signatures": ConsoleTime.number(status.signatures),
            "lastUsed": status.lastSignedAt.map { time.live($0, withZone: false) } ?? "not in 24 h", "nextStep": step,
        ]
    }
}
