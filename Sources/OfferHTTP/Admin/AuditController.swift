import EligibilityRules
import Hummingbird
import OfferService
import WireText

/// `/v1/admin/audit`: what happened, and whether the log is intact.
struct AuditController: Sendable {
    private static let path = "/v1/admin/audit"
    private static let parameters = ["bundleId", "actor", "action", "from", "until"] + ListPage.parameters

    let audit: AuditBrowser

    var routes: [OperationRoute] {
        [
            OperationRoute(path: Self.path, access: .needs(.audit), respond: page),
            OperationRoute(path: Self.path + "/head", access: .needs(.audit)) { request in
                _ = try request.query([])
                return JSONValue.members(["head": .text(try await audit.head())]).asResponse()
            },
            OperationRoute(path: Self.path + "/verify", method: .post, access: .needs(.audit)) { request in
                _ = try request.query([])
                return AuditJSON.verdict(try await audit.verify()).asResponse()
            },
        ]
    }

    private func page(_ request: OperationRequest) async throws -> Response {
        let query = try request.query(Self.parameters)
        var numbers = QueryNumbers(query)
        let (from, until) = (numbers.number("from", in: 0...Int64.max), numbers.number("until", in: 0...Int64.max))
        let limit = ListPage.limit(&numbers)
        let after = query["after"].flatMap(AuditCursor.init)
        if query["after"] != nil, after == nil { numbers.refuse("after", ListPage.strangeCursor) }
        try numbers.check()
        let wanted = AuditQuery(
            Self.kind(query["action"]), bundleID: query["bundleId"], actor: query["actor"],
            from: from.map { Instant(milliseconds: $0) }, until: until.map { Instant(milliseconds: $0) })
        let page = try await audit.page(wanted, limit: limit, after: after, for: request.caller)
        return AuditJSON.page(page).asResponse()
    }

    /// `signature.made` and `signature.refused` have tables of their own.
    private static func kind(_ action: String?) -> AuditQuery.Kind {
        switch action {
        case nil: .changes
        case "signature.made": .signatures
        case "signature.refused": .refusals
        case "*": .everything
        case let action?: .action(action)
        }
    }
}
