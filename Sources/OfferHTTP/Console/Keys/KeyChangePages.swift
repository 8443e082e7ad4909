import HTTPTypes
import Hummingbird
import OfferService

/// The pages on which a user confirms that a signing key is activated, rolled back or revoked.
struct KeyChangePages: Sendable {
    /// What a user can do to a key.
    enum Action: String, CaseIterable {
        case activate, rollback, revoke
    }

    /// The submitted fields.
    struct Input {
        var reason = ""
        var typed = ""
        /// The id of the key that takes over from a revoked one; empty if none does, nil if the user has not chosen yet.
        var next: String?
        /// Why the change was refused.
        var error: String?
        /// Why the typed id was refused.
        var typedError: String?

        var isFaulty: Bool { error != nil || typedError != nil }
    }

    let route: ConsoleRoute
    let keys: KeyAdministration
    let apps: AppDirectory

    var routes: [OperationRoute] {
        Action.allCases.flatMap { action in
            [
                route.get("/keys/{keyId}/\(action.rawValue)", .keys) { request, visitor in
                    let query = try request.query(["app"])
                    return try await page(action, request.parameter("keyId"), query["app"] ?? "", Input(), visitor)
                },
                route.post("/keys/{keyId}/\(action.rawValue)", .keys) { request, visitor, form in
                    try await change(action, request.parameter("keyId"), form, visitor, request.origin)
                },
            ]
        }
    }

    private func change(_ action: Action, _ keyID: String, _ form: FormBody, _ visitor: ConsoleVisitor, _ origin: Origin)
        async throws -> Response
    {
        var input = Input(reason: form["reason"], typed: form["typed"], next: form["next"])
        if action == .revoke, input.typed != keyID {
            input.typedError = "This is not the id of the key. Type \(keyID)."
            return try await page(action, keyID, form["app"], input, visitor)
        }
        let (app, reason) = (form["app"], input.reason)
        do {
            var isPending = false
            if action == .revoke, let next = input.next, !next.isEmpty {
                isPending = try await keys.decide(
                    .activate(next), for: [app], by: visitor.caller, from: origin, reason: reason
                ).isPending
            }
            let request: KeyDesk.KeyChangeRequest =
                switch action {
                case .activate: .activate(keyID)
                case .rollback: .rollBack(keyID)
                // By now the successor is active. If its activation waits for a second person instead, this change has to wait,
                // too.
                case .revoke: .revoke(keyID, evenIfActive: input.next?.isEmpty == true || isPending)
                }
            let change = try await keys.decide(request, for: [app], by: visitor.caller, from: origin, reason: reason)
            let isHereOnly = action == .revoke && !keys.isRevokedEverywhere(keyID)
            let done = change.isPending ? "pending" : action.rawValue + (isHereOnly ? "-here" : "")
            return route.pages.redirect(to: "/console/keys?done=\(done)")
        } catch let error as KeyError {
            input.error = "\(error)".firstUppercased
            return try await page(action, keyID, app, input, visitor)
        }
    }

    private func page(
        _ action: Action,
        _ keyID: String,
        _ app: String,
        _ input: Input,
        _ visitor: ConsoleVisitor
    ) async throws -> Response {
        let statuses = try await keys.list(for: visitor.caller)
        guard let status = statuses.first(where: { $0.keyID == keyID && $0.bundleID == app }) else {
            throw KeyError.unknownKey(keyID, bundleID: app)
        }
        let view = KeyChangeView(
            action, status, among: statuses, needsTwo: (try? apps.app(app))?.rules.needsTwoPersons == true, input: input)
        return route.pages.page(
            view, title: view.question, at: .keys, for: visitor, status: input.isFaulty ? .unprocessableContent : .ok)
    }
}
