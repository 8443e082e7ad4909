import EligibilityRules
import Hummingbird
import OfferService

/// The page about signing keys: the one that signs, and those that may be revoked at Apple.
struct KeysPage: Sendable {
    private static let maxFile = 128 * 1024
    private static let prefix = "SubscriptionKey_"
    private static let lanes = [
        ("staged", "Loaded and tested. Signs nothing yet."), ("active", "Signs every offer. Always exactly one."),
        ("retiring", "Signs nothing new. Its last offers can still be redeemed for 24 h."),
        ("retired", "Nothing depends on it. Revoke it in App Store Connect."),
    ]
    private static let done = [
        "staged": "The key is staged. It signs nothing before you activate it.", "activate": "Done: the key signs from now on.",
        "rollback": "Done: the key before it signs again.", "revoke": "Done: the key signs nothing any more.",
        "revoke-here": "Done: the key signs nothing for this app any more. Other apps still have it.",
        "pending": "It waits for a second person. Nothing has changed yet.", "withdrawn": "The proposal is withdrawn.",
        "agreed": "Done: two persons have decided it.",
    ]

    let route: ConsoleRoute
    let keys: KeyAdministration
    let canary: KeyCanary
    let apps: AppDirectory
    let names: CallerNames

    var routes: [OperationRoute] {
        [
            route.get("/keys", .keys) { request, visitor in
                let query = try request.query(["done"])
                return try await page(visitor, done: query["done"].flatMap { Self.done[$0] })
            },
            route.post("/keys", .keys, maxBodySize: Self.maxFile, bodyIsSecret: true) { request, visitor, form in
                try await stage(visitor, form, request.origin)
            },
            route.post("/keys/proposals/{id}/agree", .keys) { request, visitor, _ in
                try await keys.agree(request.parameter("id"), by: visitor.caller, from: request.origin)
                return route.pages.redirect(to: "/console/keys?done=agreed")
            },
            route.post("/keys/proposals/{id}/withdraw", .keys) { request, visitor, _ in
                try await keys.withdraw(request.parameter("id"), by: visitor.caller, from: request.origin)
                return route.pages.redirect(to: "/console/keys?done=withdrawn")
            },
        ]
    }

    private func stage(_ visitor: ConsoleVisitor, _ form: FormBody, _ origin: Origin) async throws -> Response {
        guard let file = form.files["file"], file.content.count > 0 else {
            return try await page(visitor, stageError: "No file was chosen. Choose the file SubscriptionKey_….p8.")
        }
        let name = file.name.split(whereSeparator: { "/\\".contains($0) }).last.map(String.init) ?? ""
        guard name.hasPrefix(Self.prefix), name.hasSuffix(".p8") else {
            let hint =
                name.hasPrefix("AuthKey_") || name.hasPrefix("ApiKey_")
                ? "It is an App Store Connect API key. Offers need an In-App Purchase key."
                : "The file of an In-App Purchase key is called SubscriptionKey_….p8; its id is in the name."
            return try await page(visitor, stageError: "“\(name)” was refused. \(hint)")
        }
        do {
            let id = String(name.dropFirst(Self.prefix.count).dropLast(3))
            try await keys.stage(file.content, keyID: id, by: visitor.caller, from: origin)
        } catch let error as KeyError {
            return try await page(visitor, stageError: "\(error)".firstUppercased)
        }
        return route.pages.redirect(to: "/console/keys?done=staged")
    }

    private func page(_ visitor: ConsoleVisitor, done: String? = nil, stageError: String? = nil) async throws -> Response {
        let time = route.pages.time(for: visitor)
        let statuses = try await keys.list(for: visitor.caller)
        let names = try await names.all()
        let byApp = Dictionary(grouping: statuses, by: \.bundleID).sorted { $0.key < $1.key }
        var values: [String: Any] = [
            "known": "\(ConsoleTime.count(Set(statuses.map(\.keyID)).count, "key is", "keys are")) known here",
            "warnings": keys.warnings(statuses).map { $0.sentence.firstUppercased },
            "pending": try await keys.pending(for: visitor.caller).map { pending($0, visitor, names, time) },
            "safe": Set(statuses.filter { Self.isSafe($0, time) }.map(\.keyID)).sorted().map { ["id": $0] },
            "apps": byApp.enumerated().map { app($1.key, $1.value, statuses, names, time, $0) },
        ]
        if let done { values["done"] = done }
        if let stageError { values["stageError"] = stageError }
        let status: HTTPResponse.Status = stageError == nil ? .ok : .unprocessableContent
        return route.pages.page(.keys, values, title: "Signing keys", at: .keys, for: visitor, status: status)
    }

    private static func isSafe(_ status: KeyDesk.KeyStatus, _ time: ConsoleTime) -> Bool {
        status.stateName == "retired" && status.safeToRevokeAt.map { $0 <= time.now } == true
    }

    private func pending(
        _ pending: KeyChange.Pending,
        _ visitor: ConsoleVisitor,
        _ names: [String: String],
        _ time: ConsoleTime
    ) -> [String: Any] {
        let action = pending.requestName.hasPrefix("revoke") ? "revoke" : pending.requestName
        return [
            "who": names[pending.proposedBy] ?? pending.proposedBy, "action": action == "rollback" ? "roll back from" : action,
            "id": pending.keyID, "apps": pending.bundleIDs.joined(separator: ", "), "reason": pending.reason,
            "at": time.at(pending.proposedAt), "until": time.live(pending.expiresAt), "proposal": pending.id,
            "isOwn": pending.proposedBy == visitor.caller.id,
        ]
    }

    private func app(
        _ bundleID: String,
        _ statuses: [KeyDesk.KeyStatus],
        _ all: [KeyDesk.KeyStatus],
        _ names: [String: String],
        _ time: ConsoleTime,
        _ index: Int
    ) -> [String: Any] {
        let app = try? apps.app(bundleID)
        let revoked = statuses.filter { $0.stateName == "revoked" }
        let order = Self.lanes.map(\.0)
        let shown = statuses.filter { $0.stateName != "revoked" }.sorted {
            (order.firstIndex(of: $0.stateName) == 1 ? -1 : order.firstIndex(of: $0.stateName) ?? 9, $0.keyID)
                < (order.firstIndex(of: $1.stateName) == 1 ? -1 : order.firstIndex(of: $1.stateName) ?? 9, $1.keyID)
        }
        let hasEarlier = statuses.contains { $0.stateName == "retiring" || $0.stateName == "retired" }
        return [
            "app": bundleID, "environment": app?.environmentName ?? "", "anchor": "app-\(index)", "now": time.at(time.now),
            "twoPersons": app?.needsTwoPersons ?? false,
            "lane": Self.lanes.map { name, hint in
                lane(name, hint, statuses.filter { $0.stateName == name }, time)
            },
            "keys": shown.enumerated().map { card($1, all, names, time, "key-\(index)-\($0)", hasEarlier) },
            "hasRevoked": !revoked.isEmpty, "revokedCount": ConsoleTime.count(revoked.count, "revoked key"),
            "revoked": revoked.map { status -> [String: Any] in
                var values: [String: Any] = ["id": status.keyID, "isOver": keys.isRevokedEverywhere(status.keyID)]
                if let decided = decided(status, names, time) { values["decided"] = decided }
                return values
            },
        ]
    }

    private func lane(_ name: String, _ hint: String, _ statuses: [KeyDesk.KeyStatus], _ time: ConsoleTime) -> [String: Any] {
        let badge = KeyBadge(name)
        return [
            "state": badge.state, "tone": badge.tone, "hint": hint, "isActive": name == "active",
            "chips": statuses.map { status in
                let text =
                    switch name {
                    case "staged": "ready to activate"
                    case "active": "\(ConsoleTime.count(status.signatures, "signature")) in 24 h"
                    case "retiring":
                        status.safeToRevokeAt.map {
                            "\(ConsoleTime.span(max(0, $0.milliseconds - time.now.milliseconds) / 1000)) to go"
                        }
                            ?? "another app still signs with it"
                    default: Self.isSafe(status, time) ? "safe to revoke there now" : "another app still needs it"
                    }
                return ["id": status.keyID, "text": text]
            },
        ]
    }

    private func card(
        _ status: KeyDesk.KeyStatus,
        _ all: [KeyDesk.KeyStatus],
        _ names: [String: String],
        _ time: ConsoleTime,
        _ anchor: String,
        _ hasEarlier: Bool
    ) -> [String: Any] {
        let badge = KeyBadge(status.stateName)
        let users = all.filter { $0.keyID == status.keyID && $0.stateName == "active" }.map(\.bundleID)
        var values: [String: Any] = [
            "id": status.keyID, "app": status.bundleID, "anchor": anchor, "state": badge.state, "tone": badge.tone,
            "signatures": ConsoleTime.number(status.signatures),
            "lastUsed": status.lastSignedAt.map { time.live($0, withZone: false) } ?? "not in the last 24 h",
            "tested": tested(status.keyID, time), "usedBy": users.isEmpty ? "no app" : users.joined(separator: ", "),
            "fingerprint": status.fingerprint, "canActivate": status.stateName != "active",
            "isStaged": status.stateName == "staged", "canRollBack": status.stateName == "active" && hasEarlier,
        ]
        if let decided = decided(status, names, time) { values["decided"] = decided }
        if status.stateName == "retiring" || status.stateName == "retired" { values["safeText"] = safeText(status, users, time) }
        return values
    }

    private func safeText(_ status: KeyDesk.KeyStatus, _ users: [String], _ time: ConsoleTime) -> String {
        guard let safe = status.safeToRevokeAt else {
            let apps = users.isEmpty ? "another app" : users.map(ByteEscaping().escapeText).joined(separator: ", ")
            return "<b>Do not revoke it in App Store Connect yet</b>: \(apps) still needs it."
        }
        guard safe > time.now else { return "<b>Safe to revoke in App Store Connect now</b> (since \(time.at(safe)))." }
        return "<b>Safe to revoke in App Store Connect after \(time.at(safe))</b> (in "
            + "\(ConsoleTime.span((safe.milliseconds - time.now.milliseconds) / 1000))). Before that, up to "
            + "\(ConsoleTime.count(status.signatures, "customer")) could see their offer fail."
    }

    private func decided(_ status: KeyDesk.KeyStatus, _ names: [String: String], _ time: ConsoleTime) -> [String: Any]? {
        guard let at = status.decidedAt, let by = status.decidedBy else { return nil }
        return ["at": time.at(at, withZone: false), "by": names[by] ?? by, "reason": status.reason ?? ""]
    }

    private func tested(_ keyID: String, _ time: ConsoleTime) -> String {
        switch canary.finding(keyID) {
        case .verified(let at): "verified \(ConsoleTime.span(max(0, time.now.milliseconds - at.milliseconds) / 1000)) ago"
        case .failed: "<span class=\"badge bad\">Failed</span>, see the log"
        case nil: "not yet"
        }
    }
}
