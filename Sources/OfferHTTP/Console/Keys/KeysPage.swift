import Hummingbird
import OfferService

/// The page about signing keys.
///
/// The page shows which key signs for each app, and which keys can be revoked in App Store Connect.
struct KeysPage: Sendable {
    private static let maxFile = 128 * 1024
    private static let prefix = "SubscriptionKey_"
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
        let listing = KeyListing(
            statuses: try await keys.list(for: visitor.caller), keys: keys, canary: canary, names: try await names.all(),
            time: route.pages.time(for: visitor))
        let pending = try await keys.pending(for: visitor.caller)
        let view = KeysView(
            listing, pending: pending.map { KeysView.Proposal($0, for: visitor.caller, in: listing) },
            apps: Set(listing.statuses.map(\.bundleID)).sorted().enumerated().map { index, bundleID in
                KeyAppView(bundleID, try? apps.app(bundleID), index: index, in: listing)
            }, done: done, stageError: stageError)
        let status: HTTPResponse.Status = stageError == nil ? .ok : .unprocessableContent
        return route.pages.page(view, title: "Signing keys", at: .keys, for: visitor, status: status)
    }
}

/// The content of the page about signing keys.
struct KeysView: PageView {
    static let template = "keys"

    /// A proposed change that waits for a second person to confirm it.
    struct Proposal: TemplateView {
        let who: String
        /// The proposed change as a verb, such as `revoke`.
        let action: String
        let id: String
        let apps: String
        let reason: String?
        let at: RichText
        let until: RichText
        /// The proposal's id.
        let proposal: String
        /// Whether the reader has made the proposal.
        ///
        /// The reader cannot confirm it then: another person must.
        let isOwn: Bool

        init(_ pending: KeyChange.Pending, for caller: Caller, in listing: KeyListing) {
            let request = pending.requestName.hasPrefix("revoke") ? "revoke" : pending.requestName
            who = listing.name(pending.proposedBy)
            action = request == "rollback" ? "roll back from" : request
            id = pending.keyID
            apps = pending.bundleIDs.joined(separator: ", ")
            reason = pending.reason.nonEmpty
            at = listing.time.at(pending.proposedAt)
            until = listing.time.live(pending.expiresAt)
            proposal = pending.id
            isOwn = pending.proposedBy == caller.id
        }
    }

    /// The number of keys, as a part of a sentence.
    let known: String
    /// A sentence about the result of the reader's last action; nil if there was none.
    let done: String?
    /// The ids of the keys that can be revoked in App Store Connect.
    let safe: [String]
    let pending: [Proposal]
    let warnings: [String]
    let apps: [KeyAppView]
    /// Why the key that the reader has uploaded was not staged; nil if nothing went wrong.
    let stageError: String?

    init(_ listing: KeyListing, pending: [Proposal], apps: [KeyAppView], done: String?, stageError: String?) {
        let (statuses, now) = (listing.statuses, listing.time.now)
        known = "\(ConsoleTime.count(Set(statuses.map(\.keyID)).count, "key is", "keys are")) known here"
        self.done = done
        safe = Set(statuses.filter { $0.isSafeToRevoke(at: now) }.map(\.keyID)).sorted()
        self.pending = pending
        warnings = listing.keys.warnings(statuses).map(\.sentence.firstUppercased)
        self.apps = apps
        self.stageError = stageError
    }
}
