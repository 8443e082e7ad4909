import HTTPTypes
import Hummingbird
import OfferService

/// The confirmation before a key is activated, rolled back or revoked.
struct KeyChangePages: Sendable {
    private enum Action: String, CaseIterable {
        case activate, rollback, revoke
    }

    /// The submitted fields.
    private struct Input {
        var reason = ""
        var typed = ""
        var next: String?
        var error: String?
        var typedError: String?
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
        let (app, reason) = (form["app"], String(input.reason.prefix(500)))
        do {
            var isPending = false
            if action == .revoke, let next = input.next, !next.isEmpty {
                isPending = try await keys.decide(
                    .activate(next), bundleID: app, by: visitor.caller, from: origin, reason: reason
                ).isPending
            }
            let request: KeyDesk.KeyChangeRequest =
                switch action {
                case .activate: .activate(keyID)
                case .rollback: .rollBack(keyID)
                // A successor has been activated, or waits for the second person as this change does.
                case .revoke: .revoke(keyID, evenIfActive: input.next?.isEmpty == true || isPending)
                }
            let change = try await keys.decide(request, bundleID: app, by: visitor.caller, from: origin, reason: reason)
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
        let others = statuses.filter { $0.bundleID == app && $0.keyID != keyID }
        let needsTwo = (try? apps.app(app))?.needsTwoPersons == true
        let badge = KeyBadge(status.stateName)
        var values: [String: Any] = [
            "id": keyID, "app": app, "action": action.rawValue, "state": badge.state, "tone": badge.tone, "reason": input.reason,
            "typed": input.typed, "isRevocation": action == .revoke, "isActive": status.stateName == "active",
            "twoPersons": needsTwo,
            "marks": marks(action, status, statuses, others, needsTwo).map {
                ["tone": $0.tone, "heading": $0.heading, "text": $0.text]
            },
            "successors": successors(others, input),
            "noneIsChosen": input.next == "" || others.allSatisfy { ["revoked", "retired"].contains($0.stateName) },
        ]
        let words = words(action, keyID, app, others, needsTwo)
        values["question"] = words.question
        values["sub"] = words.sub
        values["button"] = words.button
        values["cancel"] = words.cancel
        if let error = input.error { values["error"] = error }
        if let error = input.typedError { values["typedError"] = error }
        let isFaulty = input.error != nil || input.typedError != nil
        return route.pages.page(
            .keyChange, values, title: words.question, at: .keys, for: visitor, status: isFaulty ? .unprocessableContent : .ok)
    }

    private func successors(_ others: [KeyDesk.KeyStatus], _ input: Input) -> [[String: Any]] {
        let possible = others.filter { $0.stateName == "staged" || $0.stateName == "retiring" }
            .sorted { ($0.stateName == "staged" ? 0 : 1, $0.keyID) < ($1.stateName == "staged" ? 0 : 1, $1.keyID) }
        return possible.enumerated().map { index, status in
            let badge = KeyBadge(status.stateName)
            return [
                "id": status.keyID, "state": badge.state, "tone": badge.tone,
                "isChosen": input.next.map { $0 == status.keyID } ?? (index == 0),
                "hint": status.stateName == "staged" ? "Loaded and tested." : "A key from before. It becomes active again.",
            ]
        }
    }

    private func words(
        _ action: Action,
        _ keyID: String,
        _ app: String,
        _ others: [KeyDesk.KeyStatus],
        _ needsTwo: Bool
    ) -> (question: String, sub: String, button: String, cancel: String) {
        let ask = needsTwo ? "Ask for confirmation and " : ""
        func capital(_ text: String) -> String { needsTwo ? ask + text : text.prefix(1).uppercased() + text.dropFirst() }
        return switch action {
        case .activate:
            (
                "Activate key \(keyID)?", "It signs every offer of \(ByteEscaping().escapeText(app)) from then on.",
                capital("activate"), "Not now"
            )
        case .rollback:
            (
                "Roll back from key \(keyID)?", "The key that signed before it signs again. This one retires.",
                capital("roll back"), "Keep the key"
            )
        case .revoke:
            (
                "Revoke key \(keyID)?",
                "Use this if the key may have leaked. To replace a key without hurry, <a href=\"/console/keys\">activate the staged key</a> and let this one retire.",
                capital("revoke"), "Keep the key"
            )
        }
    }

    private struct Mark {
        let tone, heading, text: String
    }

    private func marks(
        _ action: Action,
        _ status: KeyDesk.KeyStatus,
        _ statuses: [KeyDesk.KeyStatus],
        _ others: [KeyDesk.KeyStatus],
        _ needsTwo: Bool
    ) -> [Mark] {
        let active = others.first { $0.stateName == "active" }
        var marks: [Mark] = []
        switch action {
        case .activate:
            marks.append(
                Mark(
                    tone: "good", heading: "At once: this key signs for \(status.bundleID), on every replica",
                    text: "No request fails, and no restart is needed."))
            if let active {
                marks.append(
                    Mark(
                        tone: "warn", heading: "\(active.keyID) retires",
                        text:
                            "It signs nothing new. Its last offers can be redeemed for 24 h: leave it in App Store Connect until this page says that it is safe to revoke."
                    ))
            }
        case .rollback:
            marks.append(
                Mark(
                    tone: "good", heading: "At once: the key before it signs again", text: "What this key has signed stays valid."
                ))
        case .revoke:
            marks.append(
                Mark(
                    tone: "bad", heading: "At once: this key never signs for \(status.bundleID) again, on every replica",
                    text: "This cannot be undone, also not by a roll back."))
            if status.signatures > 0 {
                marks.append(
                    Mark(
                        tone: "warn",
                        heading:
                            "Up to \(ConsoleTime.count(status.signatures, "offer")) that it signed in the last 24 h stay valid at Apple",
                        text:
                            "Revoking here does not revoke at Apple. If the key leaked, also revoke it in App Store Connect today. These offers then fail in the app, and the app must ask for a new signature."
                    ))
            }
            if status.stateName == "active" {
                marks.append(
                    Mark(
                        tone: "good", heading: "No gap, if another key takes over in the same step",
                        text:
                            "Without one, every signature request for \(status.bundleID) gets “not ready” (503) until you activate a key."
                    ))
            }
        }
        let elsewhere = statuses.filter { $0.keyID == status.keyID && $0.bundleID != status.bundleID && $0.stateName == "active" }
        if action == .revoke, !elsewhere.isEmpty {
            marks.append(
                Mark(
                    tone: "bad",
                    heading:
                        "\(elsewhere.map(\.bundleID).joined(separator: ", ")) still sign\(elsewhere.count == 1 ? "s" : "") with this key",
                    text: "This page revokes it for \(status.bundleID) only. If it leaked, revoke it there, too."))
        }
        if needsTwo {
            marks.append(
                Mark(
                    tone: "info", heading: "A second person confirms",
                    text:
                        "\(status.bundleID) has the two-person rule on. Another person with the role security or admin can confirm within 24 hours. Until then nothing changes."
                ))
        }
        return marks
    }
}
