import EligibilityRules
import OfferSigning
package import OfferStore
import WireText

/// The sessions of people who are signed in to the console.
package struct ConsoleSessions: Sendable {
    /// The limits of sessions and sign-in links, in ms.
    ///
    /// `idle` is the time without a request after which a session ends, `absolute` the maximum duration of a session, and `link`
    /// the time within which a sign-in link must be used.
    package struct Limits: Sendable {
        package let idle: Int64
        package let absolute: Int64
        package let link: Int64

        package init(idle: Int64 = 30 * 60_000, absolute: Int64 = 12 * 3_600_000, link: Int64 = 10 * 60_000) {
            self.idle = idle
            self.absolute = absolute
            self.link = link
        }
    }

    private static let secretBytes = 32
    /// The precision with which the last use of a session is recorded, in ms.
    private static let step: Int64 = 30_000
    private static let maxUserAgent = 200
    /// The maximum difference between the clocks of two processes, in ms.
    private static let maxSkew: Int64 = 60_000

    package let limits: Limits
    private let store: any SessionStore
    private let directory: AccessDirectory
    private let system: SystemEnvironment
    private let tries = SignInTries()

    package init(store: any SessionStore, directory: AccessDirectory, limits: Limits = Limits(), system: SystemEnvironment) {
        self.store = store
        self.directory = directory
        self.limits = limits
        self.system = system
    }

    /// Signs in with an access key. Returns the browser's cookie and the caller. Throws a `SignInError` or a `StoreError`.
    package func signIn(accessKey text: String, from source: SignInSource) async throws -> (cookie: String, caller: Caller) {
        let peer = PeerAddress(source.address)
        try tries.check(peer, at: system.uptime())
        guard let token = AccessToken(text[...]), let caller = try await caller(token.id), caller.isRight(token),
            caller.isAdmitted(at: system.now())
        else {
            tries.noteFailure(peer, at: system.uptime())
            throw SignInError.wrongKey
        }
        return try await enter(caller, from: source)
    }

    /// Signs in with a link, which works once.
    package func signIn(link: String, from source: SignInSource) async throws -> (cookie: String, caller: Caller) {
        let (digest, peer) = (Self.digest(link), PeerAddress(source.address))
        try tries.check(peer, at: system.uptime())
        guard let record = try await store.session(digest: digest), record.kind == .link,
            isRecent(record.createdAt, for: limits.link, at: system.now()), try await store.end(digest: digest),
            let caller = try await caller(record.accessID), caller.isAdmitted(at: system.now())
        else {
            tries.noteFailure(peer, at: system.uptime())
            throw SignInError.linkUsed
        }
        return try await enter(caller, from: source)
    }

    /// Signs in a person named by the sign-in proxy, as the holder of that person's access key.
    package func signIn(_ person: ProxiedPerson, from source: SignInSource) async throws -> (cookie: String, caller: Caller) {
        guard let id = person.accessID, let caller = try await caller(id), caller.isAdmitted(at: system.now()) else {
            throw SignInError.unknownPerson
        }
        return try await enter(caller, from: source, proxyName: person.name)
    }

    private func enter(
        _ caller: Caller,
        from source: SignInSource,
        proxyName: String? = nil
    ) async throws -> (cookie: String, caller: Caller) {
        guard caller.role.may(.console) else { throw SignInError.notForPeople(caller.role) }
        guard !source.lacksCertificate(caller.role) else { throw SignInError.certificateNeeded }
        return (try await begin(.session, caller.id, source.address, source.userAgent, proxyName), caller)
    }

    /// Makes the secret part of a link that signs in once as the holder of an access key.
    package func makeLink(accessID: String) async throws -> String {
        try await begin(.link, accessID, "command line", "")
    }

    /// The visitor behind a browser's cookie; nil if the session has ended.
    ///
    /// - Parameter person: the person named by the sign-in proxy; nil if it names none. If the session belongs to another person,
    ///   it ends.
    package func visitor(cookie: String, person: ProxiedPerson? = nil) async throws -> ConsoleVisitor? {
        let (digest, now) = (Self.digest(cookie), system.now())
        guard let record = try await store.session(digest: digest), isOpen(record, at: now),
            let caller = try await caller(record.accessID), caller.isAdmitted(at: now), caller.role.may(.console)
        else { return nil }
        guard Self.isSession(record, of: person) else {
            _ = try await store.end(digest: digest)
            return nil
        }
        if record.usedAt.advanced(by: Self.step) <= now { try await store.noteUse(digest: digest, at: now) }
        caller.noteUse(at: now)
        return ConsoleVisitor(
            caller: caller, formToken: Self.formToken(cookie), signedInAt: record.createdAt, sessionDigest: digest)
    }

    /// Ends the visitor's session.
    package func signOut(_ visitor: ConsoleVisitor) async throws { _ = try await store.end(digest: visitor.sessionDigest) }

    /// Ends every session of the visitor's access key. Returns their number.
    package func signOutEverywhere(_ visitor: ConsoleVisitor) async throws -> Int {
        try await store.endAll(accessID: visitor.caller.id)
    }

    /// The visitor's sessions, the latest first.
    package func sessions(of visitor: ConsoleVisitor) async throws -> [ConsoleSession] {
        let now = system.now()
        return try await store.sessions(accessID: visitor.caller.id).filter { isOpen($0, at: now) }.map {
            ConsoleSession(
                signedInAt: $0.createdAt, lastSeenAt: $0.usedAt, address: $0.address, userAgent: $0.userAgent,
                isThis: $0.digest == visitor.sessionDigest)
        }
    }

    private func isOpen(_ record: SessionRecord, at now: Instant) -> Bool {
        record.kind == .session && isRecent(record.createdAt, for: limits.absolute, at: now)
            && isRecent(record.usedAt, for: limits.idle, at: now)
    }

    /// Whether an instant is less than `limit` ms old.
    ///
    /// An instant more than `maxSkew` ahead is not recent. It shows that the clock was set back, and a session or a sign-in link
    /// must not last longer because of that.
    private func isRecent(_ instant: Instant, for limit: Int64, at now: Instant) -> Bool {
        instant.advanced(by: limit) > now && instant <= now.advanced(by: Self.maxSkew)
    }

    private func caller(_ id: String) async throws -> Caller? {
        if let caller = directory.caller(id: id) { return caller }
        try await directory.refreshForUnknownKey()
        return directory.caller(id: id)
    }

    private func begin(
        _ kind: SessionRecord.Kind,
        _ accessID: String,
        _ address: String,
        _ userAgent: String,
        _ proxyName: String? = nil
    ) async throws -> String {
        var secret: [UInt8] = []
        Base64.appendURLSafe(try Crypto.randomBytes(Self.secretBytes), to: &secret)
        let (text, now) = (String(decoding: secret, as: UTF8.self), system.now())
        let record = SessionRecord(
            digest: Self.digest(text), kind: kind, accessID: accessID, createdAt: now, usedAt: now, address: address,
            userAgent: String(userAgent.prefix(Self.maxUserAgent)), proxyName: proxyName)
        try await store.add(record, forgettingBefore: now.advanced(by: -limits.absolute))
        return text
    }

    // If the sign-in proxy names a person, the session must belong to that person. A session that began through the proxy is also
    // invalid if the request names no person. Such a request may have bypassed the proxy, or the proxy may have passed it without
    // a sign-in; in both cases nothing has checked whether the person still has access.
    private static func isSession(_ record: SessionRecord, of person: ProxiedPerson?) -> Bool {
        guard let person else { return record.proxyName == nil }
        return record.accessID == person.accessID && (record.proxyName ?? person.name) == person.name
    }

    private static func digest(_ secret: String) -> [UInt8] { Crypto.sha256(Array("session:\(secret)".utf8)) }

    private static func formToken(_ secret: String) -> String {
        Crypto.hexadecimal(Crypto.sha256(Array("form:\(secret)".utf8)))
    }
}
