package import EligibilityRules
package import OfferStore
import Synchronization

/// Sessions that are forgotten with the process.
package final class MemorySessionStore: SessionStore {
    private let sessions = Mutex<[SessionRecord]>([])

    /// Without any.
    package init() {}

    package func add(_ session: SessionRecord, forgettingBefore instant: Instant) async throws(StoreError) {
        sessions.withLock { sessions in
            sessions.removeAll { $0.createdAt < instant }
            sessions.append(session)
        }
    }

    package func session(digest: [UInt8]) async throws(StoreError) -> SessionRecord? {
        sessions.withLock { $0.first { $0.digest == digest } }
    }

    package func sessions(accessID: String) async throws(StoreError) -> [SessionRecord] {
        sessions.withLock { $0.filter { $0.accessID == accessID }.sorted { $0.createdAt > $1.createdAt } }
    }

    package func noteUse(digest: [UInt8], at instant: Instant) async throws(StoreError) {
        sessions.withLock { sessions in
            guard let index = sessions.firstIndex(where: { $0.digest == digest }) else { return }
            let old = sessions[index]
            sessions[index] = SessionRecord(
                digest: digest, kind: old.kind, accessID: old.accessID, createdAt: old.createdAt,
                usedAt: max(old.usedAt, instant),
                address: old.address, userAgent: old.userAgent, proxyName: old.proxyName)
        }
    }

    package func end(digest: [UInt8]) async throws(StoreError) -> Bool {
        sessions.withLock { sessions in
            let before = sessions.count
            sessions.removeAll { $0.digest == digest }
            return sessions.count < before
        }
    }

    package func endAll(accessID: String) async throws(StoreError) -> Int {
        sessions.withLock { sessions in
            let before = sessions.count
            sessions.removeAll { $0.accessID == accessID }
            return before - sessions.count
        }
    }
}
