package import Logging
import OfferSigning
package import OfferStore
import ServiceLifecycle
import Synchronization

/// Seals the audit log every few seconds if there are new rows, and at every stop.
///
/// It looks into the key folder each time, so that a new key makes the next seal.
package final class AuditSealer: Service, Sendable {
    private struct State {
        /// What is wrong with the store's rows, because another process changed them; nil if the last seal found nothing wrong.
        var damage: String?
        /// The fault that a verification has found; nil if there is none.
        var fault: String?
        /// The last complaint about the keys, which is logged only once.
        var reported: String?
        var hasKey = false
        /// What to do if there is no key.
        var remedy = "make one with: offersigner audit rotate-key"
        /// The number of the key that seals; 0 if there is none.
        var number = 0
        /// Set while the file of the sealing key is missing: this process goes on sealing with the key in memory until it
        /// restarts.
        var loss: String?
        /// Why nothing can be sealed although the log was not changed; nil while sealing works.
        var obstacle: String?
    }

    private let store: any AuditStore
    private let keys: AuditKeyFolder
    private let interval: Duration
    private let system: SystemEnvironment
    private let logger: Logger
    private let failures: FailureLog
    private let onSeal: @Sendable (String) -> Void
    private let state = Mutex(State())

    /// - Parameters:
    ///   - interval: time between two seals.
    ///   - onSeal: receives every seal.
    package init(
        store: any AuditStore,
        keys: AuditKeyFolder,
        interval: Duration,
        system: SystemEnvironment,
        logger: Logger,
        failures: FailureLog,
        onSeal: @escaping @Sendable (String) -> Void
    ) {
        self.store = store
        self.keys = keys
        self.interval = interval
        self.system = system
        self.logger = logger
        self.failures = failures
        self.onSeal = onSeal
    }

    /// Seals every interval until the service stops, and then once more.
    package func run() async throws {
        await system.rounds { [self] in
            await sealOnce()
            return interval
        }
        await sealOnce()
    }

    /// Makes the first key if there is none and the folder can be written. Logs the reason if the log cannot be sealed.
    ///
    /// - Parameter makesKey: false if the log has been sealed by another process. Then this process needs the key of that
    ///   process, not a new one.
    package func prepare(makesKey: Bool = true) {
        if !makesKey {
            state.withLock {
                $0.remedy =
                    "copy the key that the other replicas have, or, if it is lost, run: offersigner audit replace-lost-key"
            }
        }
        do throws(SigningError) {
            if makesKey, try keys.makeFirst() {
                logger.notice(
                    "an audit key was made; keep a copy of its public half elsewhere", metadata: ["folder": "\(keys.directory)"])
            }
        } catch {
            logger.debug("no audit key could be made", metadata: ["reason": "\(error)"])
        }
        follow()
    }

    /// Seals the rows that are new. If that fails, the reason is kept for `standing` and logged once.
    func sealOnce() async {
        follow()
        do throws(StoreError) {
            guard let note = try await store.seal(at: system.now(), certifying: nil) else { return }
            state.withLock {
                $0.damage = nil
                $0.obstacle = nil
            }
            onSeal(note)
        } catch  where error.code == .unsuitable {
            // The key was lost, or the store came from elsewhere. Customers are served nevertheless.
            let isNew = state.withLock { state in
                // The file of the key is missing, and another key has replaced it since. The next round uses the key that the
                // folder has then.
                if state.loss != nil { state.number = 0 }
                defer { state.obstacle = error.detail }
                return state.obstacle != error.detail
            }
            if isNew { logger.error("the audit log is not sealed any more", metadata: ["reason": "\(error.detail)"]) }
        } catch  where error.code == .damaged {
            let isNew = state.withLock { state in
                defer { state.damage = error.detail }
                return state.damage != error.detail
            }
            if isNew {
                logger.error(
                    "the audit log was changed by another process; nothing is sealed any more",
                    metadata: ["reason": "\(error.detail)"])
                await recordNotVerified(error.detail)
            }
        } catch {
            failures.note("the audit log could not be sealed", .of(error))
        }
    }

    /// Records the fault that a verification of the whole log has found; nil if it has found none.
    func take(_ fault: AuditFault?) async {
        let reason = fault.map { "the audit log was changed: \($0)" }
        let isNew = state.withLock { state in
            defer { state.fault = reason }
            return state.fault != reason
        }
        guard isNew else { return }
        if let reason {
            logger.error("the audit log was changed by another process", metadata: ["reason": "\(reason)"])
            await recordNotVerified(reason)
        } else {
            logger.notice("the audit log is intact again")
        }
    }

    private func recordNotVerified(_ reason: String) async {
        do throws(StoreError) {
            try await store.record([Origin.service.event(.failVerification, at: system.now(), reason: reason)])
        } catch {
            failures.note("it could not be recorded that the audit log was changed", .of(error))
        }
    }

    /// The state of sealing, as the readiness check shows it.
    ///
    /// Throws if another process has changed the log, or if the file of the sealing key was removed.
    package func standing() throws(StoreError) -> String {
        let state = state.withLock(\.self)
        if let damage = state.damage ?? state.fault { throw StoreError(.damaged, damage) }
        if let loss = state.loss { throw StoreError(.unsuitable, loss) }
        if let obstacle = state.obstacle { return "chained, not sealed: \(obstacle)" }
        return state.hasKey ? "chained and sealed" : "chained, not sealed: there is no audit key; \(state.remedy)"
    }

    private func follow() {
        var complaint: String?
        let number = keys.lastNumber()
        let loss: String? = state.withLock { state in
            state.loss =
                number >= state.number
                ? nil
                : "\(AuditKeyFile(folder: keys.directory, number: state.number).path), which seals, was removed; put it back, "
                    + "or nothing is sealed after a restart"
            return state.loss
        }
        // A key whose file is missing stays in memory, and goes on sealing.
        if let loss { return report(loss) }
        do throws(SigningError) {
            let signer = try keys.signer()
            store.use(signer)
            if signer == nil {
                complaint = "there is no audit key in \(keys.directory): \(state.withLock(\.remedy))"
            }
            state.withLock { ($0.hasKey, $0.number) = (signer != nil, signer == nil ? 0 : number) }
        } catch {
            // The key that was in use goes on sealing.
            complaint = error.detail
        }
        report(complaint)
    }

    private func report(_ complaint: String?) {
        let (isNew, isLoss) = state.withLock { state in
            defer { state.reported = complaint }
            return (state.reported != complaint, state.loss != nil)
        }
        guard isNew, let complaint else { return }
        if isLoss {
            logger.error("the audit key was removed", metadata: ["reason": "\(complaint)"])
        } else {
            logger.warning("the audit log is not sealed", metadata: ["reason": "\(complaint)"])
        }
    }
}
