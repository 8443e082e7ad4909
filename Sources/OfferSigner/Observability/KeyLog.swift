import Logging
import OfferService
import OfferSigning

/// Writes the log lines about changes of the keys.
struct KeyLog: KeyRingObserver {
    let logger: Logger

    func didLoad(_ keys: LoadedKeys, before: LoadedKeys) {
        let known = Dictionary(before.ring.entries.map { ($0.key.id, $0.key) }) { first, _ in first }
        for entry in keys.ring.entries where known[entry.key.id]?.fingerprint != entry.key.fingerprint {
            logger.notice(
                "a signing key was loaded",
                metadata: [
                    "key": "\(entry.key.id)", "fingerprint": "\(entry.key.fingerprint)", "state": "\(entry.state.rawValue)",
                ])
        }
        let ids = Set(keys.ring.entries.map(\.key.id))
        for id in known.keys.sorted() where !ids.contains(id) {
            logger.notice("a signing key is gone", metadata: ["key": "\(id)"])
        }
        for app in keys.ring.bundleIDs {
            reportActiveKey(in: app, keys.ring.active(for: app)?.id, before.ring.active(for: app)?.id)
        }
        for lock in keys.locks where !before.locks.contains(lock) { report(lock) }
        if keys.locks.isEmpty, !before.locks.isEmpty { logger.notice("every app's key may sign again") }
        for fault in keys.faults where !before.faults.contains(fault) { report(fault) }
        if keys.faults.isEmpty, !before.faults.isEmpty { logger.notice("every key file can be used again") }
    }

    /// Logs the fault of a key file.
    func report(_ fault: KeyFault) {
        logger.warning("a key file is not used", metadata: ["file": "\(fault.file)", "reason": "\(fault.reason)"])
    }

    /// Logs that no key may sign for an app.
    func report(_ lock: KeyLock) {
        logger.error("no key signs for an app", metadata: ["app": "\(lock.bundleID)", "reason": "\(lock.reason)"])
    }

    private func reportActiveKey(in app: String, _ id: String?, _ earlier: String?) {
        guard id != earlier else { return }
        logger.notice(
            "another key signs", metadata: ["app": "\(app)", "key": "\(id ?? "none")", "before": "\(earlier ?? "none")"])
    }
}
