import EligibilityRules
import HTTPTypes
import Hummingbird
import OfferService

/// The pages that list, make and revoke access keys.
struct AccessPages: Sendable {
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
                try await create(AccessForm(form, at: route.pages.system.now()), visitor, request.origin)
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
            return try await page(
                visitor, .inUse, made: AccessView.Made(id: key.id, note: key.note, secret: token.text))
        } catch let error as AccessError {
            let faults = FormErrors([("role", "\(error)".firstUppercased)])
            return try await page(visitor, .inUse, form: form, faults: faults)
        } catch let error as AppError {
            let faults = FormErrors([("apps", Problem(error).detail.firstUppercased)])
            return try await page(visitor, .inUse, form: form, faults: faults)
        }
    }

    private func page(
        _ visitor: ConsoleVisitor,
        _ filter: AccessFilter,
        made: AccessView.Made? = nil,
        form: AccessForm = AccessForm(),
        faults: FormErrors = .none,
        done: String? = nil
    ) async throws -> Response {
        let (time, caller) = (route.pages.time(for: visitor), visitor.caller)
        let all = try await access.list(for: caller)
        let rows = all.filter { filter.takes($0, at: time.now) }.map { key in
            AccessRowView(key, lastUse: lastUse(of: key), for: caller, time)
        }
        var view = AccessView(
            all, showing: filter, rows: rows,
            wish: AccessFormView(form, for: caller, apps: apps.bundleIDs, faults: faults), faults: faults, time: time)
        view.made = made
        view.done = done
        return route.pages.page(
            view, title: "Access", at: .access, for: visitor, status: faults.isEmpty ? .ok : .unprocessableContent)
    }

    private func lastUse(of key: AccessKey) -> Instant? {
        [key.lastUsedAt, access.lastUse(of: key.id)].compactMap(\.self).max()
    }

    private func question(_ id: String, _ visitor: ConsoleVisitor) async throws -> Response {
        let key = try await access.key(id, for: visitor.caller)
        let view = AccessRevokeView(key, lastUse: lastUse(of: key), route.pages.time(for: visitor))
        return route.pages.page(view, title: "Revoke an access key", at: .access, for: visitor)
    }
}

/// The content of the page that confirms the revocation of an access key.
struct AccessRevokeView: PageView {
    static let template = "access-revoke"

    let id: String
    let note: String
    let role: String
    let apps: String
    let lastUsed: RichText

    /// - Parameter lastUse: when the key was last used; nil if it never was.
    init(_ key: AccessKey, lastUse: Instant?, _ time: ConsoleTime) {
        id = key.id
        note = key.note
        role = key.role.firstUppercased.filter { $0 != "." }
        apps = key.apps?.joined(separator: ", ") ?? "all apps"
        lastUsed = AccessRowView.lastUsed(lastUse, time)
    }
}
