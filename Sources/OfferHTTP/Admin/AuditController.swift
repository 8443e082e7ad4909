import EligibilityRules
import Hummingbird
import OfferService
import WireText

/// `/v1/admin/audit`: what happened, and whether the log is intact.
struct AuditController: Sendable {
    private static let path = "/v1/admin/audit"
    private static let parameters = ["bundleId", "actor", "action", "from", "until", "limit", "after"]
    private static let sizes: ClosedRange<Int64> = 1...200

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
        var faults: [FieldFault] = []
        func number(_ name: String, in range: ClosedRange<Int64>) -> Int64? {
            guard let text = query[name] else { return nil }
            if let number = Int64(text), range.contains(number) { return number }
            faults.append(
                FieldFault(name: name, reason: "must be a whole number from \(range.lowerBound) to \(range.upperBound)"))
            return nil
        }
        let (from, until) = (number("from", in: 0...Int64.max), number("until", in: 0...Int64.max))
        let limit = number("limit", in: Self.sizes) ?? Self.sizes.upperBound
        let after = query["after"].map(AuditCursor.init)
        if let after, after == nil { faults.append(FieldFault(name: "after", reason: "must be the next of an earlier answer")) }
        guard faults.isEmpty else { throw RequestFault.invalidFields(faults) }
        let wanted = AuditQuery(
            Self.kind(query["action"]), bundleID: query["bundleId"], actor: query["actor"],
            from: from.map { Instant(milliseconds: $0) }, until: until.map { Instant(milliseconds: $0) })
        let page = try await audit.page(wanted, limit: Int(limit), after: after ?? nil, for: request.caller)
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
