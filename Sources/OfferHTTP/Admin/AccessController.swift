import EligibilityRules
import HTTPTypes
import Hummingbird
import OfferService
import WireText

/// `/v1/admin/access`: lists, makes and revokes access keys.
struct AccessController: Sendable {
    let access: AccessDesk

    var routes: [OperationRoute] {
        [
            OperationRoute(.listAccessKeys) { request in
                let page = try ListPage(request.query)
                return try page.json(of: await access.list(for: request.caller), id: \.id, AccessJSON.key).asResponse()
            },
            OperationRoute(.createAccessKey, respond: create),
            OperationRoute(.getAccessKey) { request in
                return AccessJSON.key(try await access.key(request.parameter("id"), for: request.caller)).asResponse()
            },
            OperationRoute(.revokeAccessKey) { request in
                let key = try await access.revoke(request.parameter("id"), by: request.caller, from: request.origin)
                return AccessJSON.key(key).asResponse()
            },
        ]
    }

    private func create(_ request: OperationRequest) async throws -> Response {
        let keyRequest = try request.read(keyRequest)
        let (key, token) = try await access.create(keyRequest, by: request.caller, from: request.origin)
        return AccessJSON.key(key, secret: token.text).asResponse(.created)
    }

    private func keyRequest(_ reader: ObjectReader) -> AccessKeyRequest {
        let role: Role? = reader.optionalChoice("role")
        if role == nil, reader.value("role") == nil { reader.refuse("role", "is missing") }
        let note = reader.text(within: .accessNote, isRequired: true)
        let expiry = reader.optionalInteger("expiresAt", in: RequestBounds.instants)
        let keyRequest = AccessKeyRequest(
            role: role ?? .viewer, apps: reader.optionalTexts("bundleIds", count: RequestBounds.apps), note: note,
            timeZone: reader.optionalText("timeZone"),
            expiresAt: expiry.map { Instant(milliseconds: Int64($0)) })
        for fault in access.faults(of: keyRequest) where !reader.faults.invalid.contains(where: { $0.name == fault.name }) {
            reader.refuse(fault.name, fault.reason)
        }
        return keyRequest
    }
}

/// Access keys as the API shows them.
enum AccessJSON {
    /// Returns a key without its secret.
    static func key(_ key: AccessKey) -> JSONValue { self.key(key, secret: nil) }

    /// - Parameter secret: the whole access key with its secret, which is shown only when the key is made; nil at any other time.
    static func key(_ key: AccessKey, secret: String?) -> JSONValue {
        .members([
            "id": .string(key.id), "role": .string(key.role), "bundleIds": key.apps.map(JSONValue.texts) ?? .null,
            "note": .string(key.note), "timeZone": .string(key.timeZone), "createdAt": .instant(key.createdAt),
            "createdBy": .text(key.createdBy), "expiresAt": .instant(key.expiresAt), "lastUsedAt": .instant(key.lastUsedAt),
            "revokedAt": .instant(key.revokedAt), "accessKey": secret.map(JSONValue.string),
        ])
    }
}
