package import OfferStore
import OfferStoreSQL

extension PostgreSQLStore: SQLStore {
    package var auditIdentity: AuditIdentity { audit!.identity }
}

extension AuditWriter: SQLAuditWriter {
    package var functions: AuditFunctions { identity.functions }
}
