import OfferStore

/// A column of an audited table, as it goes into its chain.
struct AuditColumn {
    enum Kind {
        case number, bytes, optional, personal, address
        /// So many texts of each list are not personal.
        case list(Int)

        /// Whether it is NULL once a customer is erased.
        var isPersonal: Bool {
            switch self {
            case .personal, .address: true
            case .number, .bytes, .optional, .list: false
            }
        }
    }

    let name: String
    let kind: Kind

    fileprivate init(_ name: String, _ kind: Kind) {
        self.name = name
        self.kind = kind
    }
}

extension AuditTable {
    /// In the order in which `AuditRowEncoder` writes them, which is for ever.
    var columns: [AuditColumn] {
        switch self {
        case .signatures:
            [
                AuditColumn("signed_at", .number), AuditColumn("bundle_id", .bytes), AuditColumn("key_id", .bytes),
                AuditColumn("form", .bytes), AuditColumn("caller", .bytes), AuditColumn("request_id", .bytes),
                AuditColumn("nonces", .bytes), AuditColumn("digests", .bytes), AuditColumn("customer_id", .personal),
                AuditColumn("application_username", .personal), AuditColumn("transaction_id", .personal),
                AuditColumn("offers", .list(OfferList.publicFields)), AuditColumn("address", .address),
            ]
        case .refusals:
            [
                AuditColumn("refused_at", .number), AuditColumn("bundle_id", .bytes), AuditColumn("caller", .bytes),
                AuditColumn("request_id", .bytes), AuditColumn("customer_id", .personal),
                AuditColumn("application_username", .personal), AuditColumn("transaction_id", .personal),
                AuditColumn("offers", .list(LedgerRefusals.publicFields)), AuditColumn("address", .address),
            ]
        case .events:
            [
                AuditColumn("at", .number), AuditColumn("actor", .bytes), AuditColumn("action", .bytes),
                AuditColumn("bundle_id", .optional), AuditColumn("subject", .optional), AuditColumn("before", .optional),
                AuditColumn("after", .optional), AuditColumn("reason", .optional), AuditColumn("request_id", .optional),
                AuditColumn("customer_id", .personal), AuditColumn("transaction_id", .personal),
                AuditColumn("address", .personal),
            ]
        }
    }
}
