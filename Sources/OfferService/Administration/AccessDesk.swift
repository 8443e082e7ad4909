package import EligibilityRules
package import OfferStore

/// The use cases of access keys: which keys a caller may create and revoke.
package struct AccessDesk: Sendable {
    private let store: any AccessStore
    private let directory: AccessDirectory?
    private let apps: AppDirectory
    private let system: SystemEnvironment

    /// - Parameter directory: knows when keys were last used in this process.
    package init(store: any AccessStore, directory: AccessDirectory? = nil, apps: AppDirectory, system: SystemEnvironment) {
        self.store = store
        self.directory = directory
        self.apps = apps
        self.system = system
    }

    /// The last use of a key in this process; nil if there was none.
    package func lastUse(of id: String) -> Instant? { directory?.caller(id: id)?.lastUsedAt }

    /// Every key that the caller may see, the oldest first.
    ///
    /// A caller limited to some apps sees only keys limited to a subset of these.
    package func list(for caller: Caller) async throws(StoreError) -> [AccessKey] {
        try await store.accessRecords().map(AccessKey.init).filter { Self.isVisible($0, to: caller) }
    }

    /// One key that the caller may see. Throws `AccessError.unknownKey` if there is none of this id.
    package func key(_ id: String, for caller: Caller) async throws -> AccessKey {
        guard let key = try await list(for: caller).first(where: { $0.id == id }) else { throw AccessError.unknownKey(id) }
        return key
    }

    /// What is wrong with the fields of a request for a new key, if it is made now; empty if nothing is.
    package func faults(of keyRequest: AccessKeyRequest) -> [FieldFault] { keyRequest.faults(at: system.now()) }

    /// Makes a key.
    ///
    /// The store does not hold the token: only this call returns it.
    ///
    /// - Parameter origin: the actor and the request that the audit log records; if nil, it records the caller and no request.
    package func create(
        _ keyRequest: AccessKeyRequest,
        by caller: Caller,
        from origin: Origin? = nil
    ) async throws -> (key: AccessKey, token: AccessToken) {
        let now = system.now()
        let faults = keyRequest.faults(at: now)
        guard faults.isEmpty else { throw RequestFault.invalidFields(faults) }
        guard !caller.role.isBelow(keyRequest.role) else { throw AccessError.roleAbove(keyRequest.role, own: caller.role) }
        if keyRequest.apps == nil, caller.apps != nil { throw AccessError.appsNotNamed }
        for bundleID in keyRequest.apps ?? [] { _ = try apps.app(named: bundleID, for: caller) }
        let token = try AccessToken.generate()
        let record = AccessRecord(
            id: token.id, secretDigest: token.digest, role: keyRequest.role.rawValue, apps: keyRequest.apps,
            note: keyRequest.note ?? "",
            lifetime: AccessLifetime(
                createdAt: now, createdBy: caller.hasMachineRights ? nil : caller.id, expiresAt: keyRequest.expiresAt),
            timeZone: keyRequest.timeZone)
        let event = (origin ?? caller.origin).event(
            .createAccess, at: now, object: AuditObject(token.id, after: record.terms), reason: keyRequest.note)
        try await store.add(record, audit: [event])
        return (AccessKey(record), token)
    }

    /// Revokes a key, and returns it.
    ///
    /// Running services refuse the key within a quarter of a second.
    ///
    /// - Parameter origin: the actor and the request that the audit log records; if nil, it records the caller and no request.
    @discardableResult
    package func revoke(_ id: String, by caller: Caller, from origin: Origin? = nil) async throws -> AccessKey {
        guard let record = try await store.accessRecords().first(where: { $0.id == id }),
            Self.isVisible(AccessKey(record), to: caller)
        else { throw AccessError.unknownKey(id) }
        if let role = Role(rawValue: record.role), caller.role.isBelow(role) {
            throw AccessError.roleAbove(role, own: caller.role)
        }
        let now = system.now()
        let event = (origin ?? caller.origin).event(
            .revokeAccess, at: now, object: AuditObject(id, before: record.terms, after: "revoked"))
        _ = try await store.revokeAccess(id: id, at: now, audit: [event])
        return try await key(id, for: caller)
    }

    private static func isVisible(_ key: AccessKey, to caller: Caller) -> Bool {
        guard let own = caller.apps else { return true }
        return key.apps.map(own.isSuperset) ?? false
    }
}

/// Why an access key is not made or revoked.
package enum AccessError: Error, Equatable {
    /// No key has this id, or the caller may not see it.
    case unknownKey(String)
    /// The role of the key is above the caller's own role (`Role.isBelow`).
    case roleAbove(Role, own: Role)
    /// The request names no apps, but the caller's own key is limited to some, and can only make keys that are limited as well.
    case appsNotNamed
}

extension AccessError: CustomStringConvertible {
    /// What is wrong and what to do about it, in a sentence.
    package var description: String {
        switch self {
        case .unknownKey(let id): "there is no access key \(id) that you may see; GET /v1/admin/access lists them"
        case .roleAbove(let role, let own): "the role \(own.rawValue) may not make or revoke a key of the role \(role.rawValue)"
        case .appsNotNamed: "your own access key is for some apps only; name bundleIds among those"
        }
    }
}
