package import EligibilityRules
import OfferStore

/// A search in the audit log.
package struct AuditQuery: Equatable, Sendable {
    /// Which kinds of rows are searched.
    package enum Kind: Equatable, Sendable {
        /// Everything but signatures and refusals.
        case changes
        case signatures, refusals, everything
        /// Changes whose action begins with this text, such as `key.`.
        case action(String)
    }

    package var kind: Kind
    /// Selects rows about this app and rows about no app; nil selects all.
    package var bundleID: String?
    package var actor: String?
    /// Selects rows with this text in the subject, the state before or after, the reason, or the id of request, customer or
    /// transaction; nil selects all.
    package var text: String?
    package var from: Instant?
    package var until: Instant?

    package init(
        _ kind: Kind = .changes,
        bundleID: String? = nil,
        actor: String? = nil,
        text: String? = nil,
        from: Instant? = nil,
        until: Instant? = nil
    ) {
        self.kind = kind
        self.bundleID = bundleID
        self.actor = actor
        self.text = text
        self.from = from
        self.until = until
    }

    var filter: AuditFilter {
        let tables: Set<AuditTable> =
            switch kind {
            case .changes, .action: [.events]
            case .signatures: [.signatures]
            case .refusals: [.refusals]
            case .everything: Set(AuditTable.allCases)
            }
        var action: String?
        if case .action(let prefix) = kind { action = prefix }
        return AuditFilter(
            tables: tables, bundleID: bundleID, actor: actor, action: action, text: text, from: from, until: until)
    }
}
