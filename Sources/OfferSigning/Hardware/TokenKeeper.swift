/// Maintains the connection to a token, on a thread of its own: it finds keys, notices an outage within half a second, and
/// restores the connection.
///
/// It is `@unchecked`, because after `init` only that thread uses it.
final class TokenKeeper: @unchecked Sendable {
    /// The time between two checks of a token that is available.
    private static let interval = Duration.milliseconds(400)
    /// The pauses between attempts to restore the connection. Each pause is twice as long as the one before, up to the longest.
    private static let pauses = (first: Duration.milliseconds(100), longest: Duration.milliseconds(1000))

    private static let restartInterval = Duration.milliseconds(2500)
    private static let callPatience = Duration.milliseconds(400)

    private var link: TokenLink
    private var incarnation = 0
    private var pause = TokenKeeper.pauses.first
    private var next = ContinuousClock.now
    // The earliest time of the next reconnection. Without it, a token that fails with every use would be reconnected again and
    // again without a pause.
    private var earliest = ContinuousClock.now
    // The earliest time of the next restart of the module. Restarts are kept rare, because each of them may leak memory.
    private var nextRestart = ContinuousClock.now
    private var hasWorkers = false

    init(_ link: TokenLink) { self.link = link }

    private enum Step {
        case command(@Sendable () -> Void)
        case reconnect
    }

    /// Runs the maintenance loop. Never returns.
    func run(for token: HardwareToken) {
        while true {
            let step = token.state.wait(on: token.commanded, until: { self.due($0) }) { state -> Step? in
                if !state.commands.isEmpty { return .command(state.commands.removeFirst()) }
                if case .reconnecting = state.phase, earliest <= .now { return .reconnect }
                return nil
            }
            token.state.withLock { $0.callSince = .now }
            switch step {
            case .command(let body): body()
            case .reconnect: reconnect(token)
            case nil: if token.state.withLock(\.isUp) { look(token) } else { reconnect(token) }
            }
            token.state.withLock { $0.callSince = nil }
        }
    }

    private func due(_ state: TokenState) -> ContinuousClock.Instant? {
        if state.held.isEmpty { return nil }
        if case .reconnecting = state.phase { return min(next, earliest) }
        return next
    }

    /// Finds a key and, if the purpose is to sign, tests it with one signature.
    ///
    /// If the log-in fails but the public half can be read, the key still counts as loaded. It signs once the cause is removed.
    func load(_ uri: PKCS11URI, for purpose: HardwareKeys.Purpose, of token: HardwareToken) throws(SigningError) -> KeyHandle {
        if let key = token.state.withLock({ $0.held[uri] }) { return key.publicKey }
        if link.session == nil {
            // The token may have been plugged in after the module had made its list of tokens. A restart makes the module look
            // again.
            do throws(SigningError) { try open() } catch { if link.module.restart() { try open() } else { throw error } }
        }
        var publicKey = try link.publicKey(of: uri)
        if purpose == .check { try link.checkPINFile() }
        if purpose != .sign, let publicKey { return publicKey }
        var held: TokenState.HeldKey
        do throws(SigningError) {
            try link.logIn(isLast: publicKey == nil)
            let handle = try link.privateHandle(of: uri)
            let known = if let publicKey { publicKey } else { try link.publicKey(besides: handle) }
            publicKey = known
            guard purpose == .sign else { return known }
            try link.prove(handle, by: known)
            held = TokenState.HeldKey(publicKey: known, handle: handle, fault: nil)
        } catch {
            guard let publicKey, error.code == .pinRefused || error.code == .moduleUnavailable else { throw error }
            held = TokenState.HeldKey(publicKey: publicKey, handle: nil, fault: error)
        }
        let publicHalf = held.publicKey
        token.state.withLock { [held] in $0.held[uri] = held }
        if !hasWorkers { token.startWorkers() }
        hasWorkers = true
        if let fault = held.fault { token.goDown(fault) } else { token.goUp(in: link.slot) }
        next = .now + Self.interval
        return publicHalf
    }

    /// Permits one more attempt with a refused PIN. The attempt is made at once.
    func forgive() {
        link.forgive()
        next = .now
    }

    private func open() throws(SigningError) {
        if incarnation != link.module.incarnation { link.abandon() }
        link.close()
        incarnation = link.module.incarnation
        try link.open()
    }

    /// Checks that the session, the token and the keys still exist.
    private func look(_ token: HardwareToken) {
        next = .now + Self.interval
        let handles = token.state.withLock { $0.held.values.compactMap(\.handle) }
        do throws(CryptokiFailure) {
            try link.check(handles)
            if handles.count < token.state.withLock(\.held.count) { findKeys(token) }
            pause = Self.pauses.first
        } catch {
            token.lose()
            next = .now
        }
    }

    private func reconnect(_ token: HardwareToken) {
        defer { earliest = .now + Self.pauses.first }
        do throws(SigningError) {
            guard token.waitForWorker(Self.callPatience) else {
                throw SigningError(.moduleUnavailable, "no call into the module returns")
            }
            let stale = token.state.withLock { $0.takeStale() }
            if incarnation == link.module.incarnation { for session in stale { link.module.closeSession(session) } }
            do throws(SigningError) {
                try connect(token)
            } catch {
                // Some modules do not notice that a token was removed or has returned until they are restarted. If the PIN was
                // refused or is missing, a restart would not help.
                guard error.code != .pinRefused, error.code != .pinMissing, nextRestart <= .now else { throw error }
                nextRestart = .now + Self.restartInterval
                guard link.module.restart() else { throw error }
                try connect(token)
            }
            token.goUp(in: link.slot)
            next = .now + Self.interval
        } catch {
            token.goDown(error)
            next = .now + pause
            pause = min(pause * 2, Self.pauses.longest)
        }
    }

    private func connect(_ token: HardwareToken) throws(SigningError) {
        try open()
        try link.logIn()
        // If none of the keys can be found, the token stays unavailable.
        if let fault = findKeys(token) { throw fault }
    }

    /// Finds all keys again, and tests each with one signature. If none of them signs, returns why the first of them does not.
    @discardableResult
    private func findKeys(_ token: HardwareToken) -> SigningError? {
        var held = token.state.withLock(\.held)
        for (uri, key) in held {
            do throws(SigningError) {
                let handle = try link.privateHandle(of: uri)
                try link.prove(handle, by: key.publicKey)
                held[uri]?.handle = handle
                held[uri]?.fault = nil
            } catch {
                held[uri]?.handle = nil
                held[uri]?.fault = error
            }
        }
        token.state.withLock { [held] in $0.held = held }
        return held.values.contains { $0.handle != nil } ? nil : held.values.compactMap(\.fault).first
    }
}
