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

    /// Makes a key. The store does not hold the token: only this call returns it.
    ///
    /// - Parameters:
    ///   - caller: nil: an operator with the machine's own rights.
    ///   - origin: names the request as well; nil: the caller alone.
    package func create(
        _ keyRequest: AccessKeyRequest,
        by caller: Caller?,
        from origin: Origin? = nil
    ) async throws -> (key: AccessKey, token: AccessToken) {
        if let caller {
            guard !caller.role.isBelow(keyRequest.role) else { throw AccessError.roleAbove(keyRequest.role, own: caller.role) }
            if keyRequest.apps == nil, caller.apps != nil { throw AccessError.appsNotNamed }
        }
        for bundleID in keyRequest.apps ?? [] {
            if let caller, !caller.mayUse(app: bundleID) { throw AppError.notAllowed(bundleID) }
            _ = try apps.app(bundleID)
        }
        if let fault = TextLimit.accessNote.fault(of: keyRequest.note) { throw AccessError.invalidNote(fault) }
        let (token, now) = (try AccessToken.generate(), system.now())
        if let end = keyRequest.expiresAt, end <= now { throw AccessError.ended(end) }
        let record = AccessRecord(
            id: token.id, secretDigest: token.digest, role: keyRequest.role.rawValue, apps: keyRequest.apps,
            note: keyRequest.note,
            lifetime: AccessLifetime(
                createdAt: now, createdBy: caller?.id,
                expiresAt: keyRequest.expiresAt ?? keyRequest.lifetime.map { now.advanced(by: $0) }),
            timeZone: keyRequest.timeZone)
        let event = Self.origin(origin, caller).event(
            .createAccess, at: record.lifetime.createdAt, object: AuditObject(token.id, after: record.terms),
            reason: keyRequest.note.isEmpty ? nil : keyRequest.note)
        try await store.add(record, audit: [event])
        return (AccessKey(record), token)
    }

    /// Revokes a key. Running services refuse it within a quarter of a second.
    ///
    /// - Parameters:
    ///   - caller: nil: an operator with the machine's own rights.
    ///   - origin: names the request as well; nil: the caller alone.
    package func revoke(_ id: String, by caller: Caller?, from origin: Origin? = nil) async throws {
        guard let record = try await store.accessRecords().first(where: { $0.id == id }),
            caller.map({ Self.isVisible(AccessKey(record), to: $0) }) ?? true
        else { throw AccessError.unknownKey(id) }
        if let caller, let role = Role(rawValue: record.role), caller.role.isBelow(role) {
            throw AccessError.roleAbove(role, own: caller.role)
        }
        let now = system.now()
        let event = Self.origin(origin, caller).event(
            .revokeAccess, at: now, object: AuditObject(id, before: record.terms, after: "revoked"))
        _ = try await store.revokeAccess(id: id, at: now, audit: [event])
    }

    private static func origin(_ origin: Origin?, _ caller: Caller?) -> Origin {
        origin ?? caller.map { Origin(actor: $0.id) } ?? .commandLine
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
    /// The role stands above the caller's own.
    case roleAbove(Role, own: Role)
    /// The caller's own key is limited to named apps, and so must be the keys that it makes.
    case appsNotNamed
    /// The note is too long.
    case invalidNote(FieldFault)
    /// The key would have expired before it was made.
    case ended(Instant)
}

extension AccessError: CustomStringConvertible {
    /// September 2001, 10¹² ms after 1970. An earlier instant was probably given in seconds.
    private static let firstInstant = Instant(milliseconds: 1_000_000_000_000)

    /// A sentence with a remedy.
    package var description: String {
        switch self {
        case .unknownKey(let id): "there is no access key \(id) that you may see; GET /v1/admin/access lists them"
        case .roleAbove(let role, let own): "the role \(own.rawValue) may not make or revoke a key of the role \(role.rawValue)"
        case .ended(let instant):
            "\(instant.iso8601) has passed\(instant < Self.firstInstant ? "; give milliseconds since 1970, not seconds" : "")"
        case .invalidNote(let fault): "the \(fault.name) \(fault.reason)"
        case .appsNotNamed: "your own access key is for some apps only; name bundleIds among those"
        }
    }
}
