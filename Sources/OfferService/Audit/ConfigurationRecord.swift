import OfferSigning
package import OfferStore

/// Records the configurations that the service works with, and what is new in each.
package struct ConfigurationRecord: Sendable {
    private let log: AuditLog

    package init(log: AuditLog) { self.log = log }

    /// Records the configuration that a process works with from now on.
    ///
    /// The subject of the event is the digest of the facts. If the facts are not the ones that were recorded last, the event's
    /// `after` has all of them, and `before` has those that are gone. Otherwise both are nil.
    ///
    /// - Parameters:
    ///   - facts: a line for each key that is set, sorted, without secrets.
    ///   - action: whether a process has started with the configuration or reloaded it.
    package func loaded(_ facts: [String], by action: AuditAction = .loadConfiguration) async throws(StoreError) {
        let digest = Self.digest(of: facts)
        let last = try await lastFacts()
        guard last != facts else { return try await log.record(action, by: .service, object: AuditObject(digest)) }
        let gone = (last ?? []).filter { !facts.contains($0) }
        try await log.record(
            action, by: .service,
            object: AuditObject(
                digest, before: last == nil ? nil : gone.joined(separator: "\n"), after: facts.joined(separator: "\n")))
    }

    /// The digest that identifies a configuration.
    package static func digest(of facts: [String]) -> String {
        "sha256:\(Crypto.hexadecimal(Crypto.sha256(facts.joined(separator: "\n").utf8)))"
    }

    /// The facts that were recorded last, by this or another process; nil if there are none.
    package func lastFacts() async throws(StoreError) -> [String]? {
        var cursor: AuditCursor?
        repeat {
            let page = try await log.page(AuditQuery(.action("configuration.")), limit: 100, after: cursor)
            if let text = page.lines.lazy.compactMap(\.after).first {
                return text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
            }
            cursor = page.next
        } while cursor != nil
        return nil
    }
}
