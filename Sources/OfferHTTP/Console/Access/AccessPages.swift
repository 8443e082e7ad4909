import EligibilityRules
import HTTPTypes
import Hummingbird
import OfferService

/// The pages about access keys: their holders, roles and expiry.
struct AccessPages: Sendable {
    private static let day: Int64 = 86_400_000
    private static let done = ["revoked": "Done: the access key does not work any more."]

    let route: ConsoleRoute
    let access: AccessDesk
    let apps: AppDirectory

    var routes: [OperationRoute] {
        [
            route.get("/access", .access) { request, visitor in
                let query = try request.query(["show", "done"])
                let filter = AccessFilter(rawValue: query["show"] ?? "") ?? .inUse
                return try await page(visitor, filter, done: query["done"].flatMap { Self.done[$0] })
            },
            route.post("/access", .access) { request, visitor, form in
                try await create(AccessForm(form), visitor, request.origin)
            },
            route.get("/access/{id}/revoke", .access) { request, visitor in try await question(request.parameter("id"), visitor)
            },
            route.post("/access/{id}/revoke", .access) { request, visitor, _ in
                try await access.revoke(request.parameter("id"), by: visitor.caller, from: request.origin)
                return route.pages.redirect(to: "/console/access?done=revoked")
            },
        ]
    }

    private func create(_ form: AccessForm, _ visitor: ConsoleVisitor, _ origin: Origin) async throws -> Response {
        let now = route.pages.system.now()
        guard form.faults.isEmpty else { return try await page(visitor, .inUse, form: form, faults: form.faults) }
        do {
            let (key, token) = try await access.create(form.keyRequest(at: now), by: visitor.caller, from: origin)
            return try await page(visitor, .inUse, made: (key, token.text))
        } catch let error as AccessError {
            return try await page(visitor, .inUse, form: form, faults: [("role", "\(error)".firstUppercased)])
        } catch let error as AppError {
            return try await page(visitor, .inUse, form: form, faults: [("apps", Problem(error).detail.firstUppercased)])
        }
    }

    private func page(
        _ visitor: ConsoleVisitor,
        _ filter: AccessFilter,
        made: (key: AccessKey, text: String)? = nil,
        form: AccessForm = AccessForm(),
        faults: [(field: String, text: String)] = [],
        done: String? = nil
    ) async throws -> Response {
        let time = route.pages.time(for: visitor)
        let all = try await access.list(for: visitor.caller)
        let shown = all.filter { filter.takes($0, at: time.now) }
        var values: [String: Any] = [
            "now": time.at(time.now), "inUse": ConsoleTime.number(all.count { AccessFilter.inUse.takes($0, at: time.now) }),
            "tabs": AccessFilter.allCases.map { each -> [String: Any] in
                [
                    "href": "/console/access?show=\(each.rawValue)", "label": each.label, "isCurrent": each == filter,
                    "count": ConsoleTime.number(all.count { each.takes($0, at: time.now) }),
                ]
            },
            "hasKeys": !shown.isEmpty, "keys": shown.map { row($0, visitor.caller, time) }, "hasErrors": !faults.isEmpty,
            "errors": faults.map { ["field": $0.field, "text": $0.text] },
            "wish": form.values(for: visitor.caller, apps: apps.bundleIDs, faults: faults),
        ]
        if let made { values["made"] = ["note": made.key.note, "secret": made.text, "id": made.key.id] }
        if let done { values["done"] = done }
        return route.pages.page(
            .access, values, title: "Access", at: .access, for: visitor, status: faults.isEmpty ? .ok : .unprocessableContent)
    }

    private func row(_ key: AccessKey, _ caller: Caller, _ time: ConsoleTime) -> [String: Any] {
        let isGood = key.isGood(at: time.now)
        let isAbove = Role(rawValue: key.role).map(caller.role.isBelow) ?? false
        return [
            "id": key.id, "note": key.note.isEmpty ? "(no note)" : key.note,
            "role": key.role.firstUppercased.filter { $0 != "." },
            "apps": key.apps?.joined(separator: ", ") ?? "All apps", "lastUsed": lastUsed(key, time),
            "expires": expires(key, time),
            "isYou": key.id == caller.id, "canRevoke": key.id != caller.id && isGood && !isAbove,
        ]
    }

    private func lastUsed(_ key: AccessKey, _ time: ConsoleTime) -> String {
        let last = [key.lastUsedAt, access.lastUse(of: key.id)].compactMap(\.self).max()
        return last.map { time.live($0, withZone: false) } ?? "never"
    }

    private func expires(_ key: AccessKey, _ time: ConsoleTime) -> String {
        if let revoked = key.revokedAt {
            return
                "<span class=\"badge bad\">Revoked</span> <span class=\"small muted\">\(time.at(revoked, withZone: false))</span>"
        }
        guard let end = key.expiresAt else { return "never" }
        let left = end.milliseconds - time.now.milliseconds
        switch left {
        case ...0:
            return "<span class=\"badge idle\">Expired</span> <span class=\"small muted\">\(time.at(end, withZone: false))</span>"
        case ...(14 * Self.day):
            return
                "<span class=\"badge warn\">in \(ConsoleTime.span(left / 1000))</span> <span class=\"small muted\">\(time.at(end, withZone: false))</span>"
        default: return time.at(end, withZone: false)
        }
    }

    private func question(_ id: String, _ visitor: ConsoleVisitor) async throws -> Response {
        let key = try await access.key(id, for: visitor.caller)
        let values: [String: Any] = [
            "id": key.id, "note": key.note, "role": key.role.firstUppercased.filter { $0 != "." },
            "apps": key.apps?.joined(separator: ", ") ?? "all apps",
            "lastUsed": lastUsed(key, route.pages.time(for: visitor)),
        ]
        return route.pages.page(.accessRevoke, values, title: "Revoke an access key", at: .access, for: visitor)
    }
}
