import HTTPTypes
import Hummingbird
import OfferService
import WireText

/// `/v1/admin/keys`: the signing keys, and changes to them.
struct KeysController: Sendable {
    let keys: KeyAdministration
    let apps: AppDirectory

    var routes: [OperationRoute] {
        [
            OperationRoute(.listSigningKeys, respond: list),
            OperationRoute(.stageSigningKey, bodyIsSecret: true, respond: stage),
            OperationRoute(.getSigningKey) { request in
                return KeysJSON.key(try await keys.statuses(of: request.parameter("keyId"), for: request.caller)).asResponse()
            },
            change(.activateSigningKey) { id, _ in .activate(id) },
            change(.rollBackSigningKey) { id, _ in .rollBack(id) },
            change(.revokeSigningKey) { id, evenIfActive in .revoke(id, evenIfActive: evenIfActive) },
            OperationRoute(.withdrawKeyChange) { request in
                try await keys.withdraw(request.parameter("id"), by: request.caller, from: request.origin)
                return JSONValue.members(["status": .string("withdrawn")]).asResponse()
            },
        ]
    }

    private func list(_ request: OperationRequest) async throws -> Response {
        let page = try ListPage(request.query)
        let statuses = try await keys.list(for: request.caller)
        let byKey = Dictionary(grouping: statuses, by: \.keyID).values.sorted { $0[0].keyID < $1[0].keyID }
        let more = [
            JSONValue.Member(
                name: "pending", value: .array(try await keys.pending(for: request.caller).map(KeysJSON.pending))),
            JSONValue.Member(name: "warnings", value: .texts(keys.warnings(statuses).map(\.sentence))),
        ]
        return try page.json(of: byKey, id: { $0[0].keyID }, with: more, KeysJSON.key).asResponse()
    }

    private func stage(_ request: OperationRequest) async throws -> Response {
        let pem = request.secret.flatMap { SecretText.take("pem", from: $0) }
        let id = try request.read { reader in
            if (pem?.count ?? 0) == 0 { reader.refuse("pem", "must be the text of a SubscriptionKey_<KEYID>.p8") }
            return reader.text("keyId")
        }
        try await keys.stage(pem!, keyID: id, by: request.caller, from: request.origin)
        return KeysJSON.key(try await keys.statuses(of: id, for: request.caller)).asResponse(.created)
    }

    private func change(
        _ operation: Operation,
        _ makeRequest: @escaping @Sendable (String, Bool) -> KeyDesk.KeyChangeRequest
    ) -> OperationRoute {
        OperationRoute(operation) { request in
            let (bundleID, reason, evenIfActive) = try request.read { reader in
                checkEnvironment(reader)
                return (
                    reader.optionalText("bundleId"), reader.text(within: .reason), reader.optionalBool("evenIfActive") ?? false
                )
            }
            let change = try await keys.decide(
                makeRequest(request.parameter("keyId"), evenIfActive), for: bundleID.map { [$0] } ?? [], by: request.caller,
                from: request.origin, reason: reason)
            return KeysJSON.change(change).asResponse(change.isPending ? .accepted : .ok)
        }
    }

    /// Refuses an `environment` that is not the app's own, because in this API a key signs for an app only in that environment.
    private func checkEnvironment(_ reader: ObjectReader) {
        guard let environment = reader.optionalText("environment") else { return }
        let named = reader.optionalText("bundleId")
        let environments = Set(apps.all.filter { named == nil || $0.bundleID == named }.map(\.environmentName))
        guard environments.isEmpty || environments == [environment] else {
            return reader.refuse("environment", "must be \(environments.sorted().joined(separator: " or ")), or be left out")
        }
    }
}

extension KeyChange {
    /// Whether the change waits until a second person confirms it.
    var isPending: Bool { if case .pending = self { true } else { false } }
}

/// Signing keys as the API shows them, without private keys.
enum KeysJSON {
    /// Returns one key, with its state in each of its apps.
    static func key(_ statuses: [KeyDesk.KeyStatus]) -> JSONValue {
        .members([
            "keyId": .string(statuses[0].keyID), "fingerprint": .string(statuses[0].fingerprint),
            "apps": .array(
                statuses.map { status in
                    .members([
                        "bundleId": .string(status.bundleID), "state": .string(status.stateName),
                        "lastSignedAt": .instant(status.lastSignedAt), "signatures": .number("\(status.signatures)"),
                        "safeToRevokeAt": .instant(status.safeToRevokeAt), "decidedAt": .instant(status.decidedAt),
                        "decidedBy": .text(status.decidedBy), "reason": .text(status.reason),
                    ])
                }),
        ])
    }

    /// Returns a change that waits until a second person confirms it.
    static func pending(_ proposal: KeyChange.Pending) -> JSONValue {
        .members([
            "id": .string(proposal.id), "action": .string(proposal.requestName), "keyId": .string(proposal.keyID),
            "bundleIds": .texts(proposal.bundleIDs), "proposedAt": .instant(proposal.proposedAt),
            "proposedBy": .string(proposal.proposedBy), "reason": .string(proposal.reason),
            "expiresAt": .instant(proposal.expiresAt),
        ])
    }

    /// Returns the outcome of a requested change.
    static func change(_ change: KeyChange) -> JSONValue {
        switch change {
        case .pending(let proposal): .members(["pending": .string(proposal.id)])
        case .decided(let decisions):
            .members([
                "changes": .array(
                    decisions.map {
                        .members(["keyId": .string($0.keyID), "bundleId": .string($0.bundleID), "state": .string($0.state)])
                    })
            ])
        }
    }
}
