/// An audit event that records a decision, and whether its link follows from the row before it in its chain.
package struct RecordedEvent: Sendable {
    package let event: AuditEvent
    /// Whether the row was written as part of its chain, and not changed since.
    package let isLinked: Bool

    package init(_ event: AuditEvent, isLinked: Bool) {
        self.event = event
        self.isLinked = isLinked
    }

    /// Computes the link of a stored event anew, and compares it with the stored one.
    ///
    /// - Parameters:
    ///   - chain: the chain that the row names; nil if there is none.
    ///   - before: the link of the row before it in the chain; nil if it is the first.
    ///   - erased: the digest that replaces erased personal data; nil if nothing was erased.
    package init(
        _ entry: AuditEntry,
        in chain: AuditChain?,
        after before: [UInt8]?,
        erased: [UInt8]?,
        _ identity: AuditIdentity
    ) {
        let row = AuditRowEncoder()
        let isWhole = row.encode(entry.event, id: entry.id, erased: erased, identity.keyed)
        let start = before.map { AuditLink($0) } ?? chain?.genesis(identity.functions)
        let link = start.map { row.link(after: $0, identity.functions.sha256) }
        self.init(entry.event, isLinked: isWhole && chain?.table == .events && link != nil && link == entry.link)
    }
}
