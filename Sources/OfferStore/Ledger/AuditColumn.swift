/// A column of an audited table, as it goes into its chain.
package struct AuditColumn {
    /// How it goes in.
    package enum Kind {
        case number, bytes, optional, personal, address
        /// So many texts of each list are not personal.
        case texts(Int)

        /// Whether it is NULL once a customer is erased.
        package var isPersonal: Bool {
            switch self {
            case .personal, .address: true
            case .number, .bytes, .optional, .texts: false
            }
        }
    }

    package let name: String
    package let kind: Kind

    fileprivate init(_ name: String, _ kind: Kind) {
        self.name = name
        self.kind = kind
    }
}

extension AuditTable {
    /// In the order in which `AuditRowEncoder` writes them, which is for ever.
    package var columns: [AuditColumn] {
        switch self {
        case .signatures:
            [
                AuditColumn("signed_at", .number), AuditColumn("bundle_id", .bytes), AuditColumn("key_id", .bytes),
                AuditColumn("form", .bytes), AuditColumn("caller", .bytes), AuditColumn("request_id", .bytes),
                AuditColumn("nonces", .bytes), AuditColumn("digests", .bytes), AuditColumn("customer_id", .personal),
                AuditColumn("application_username", .personal), AuditColumn("transaction_id", .personal),
                AuditColumn("offers", .texts(OfferList.publicFields)), AuditColumn("address", .address),
            ]
        case .refusals:
            [
                AuditColumn("refused_at", .number), AuditColumn("bundle_id", .bytes), AuditColumn("caller", .bytes),
                AuditColumn("request_id", .bytes), AuditColumn("customer_id", .personal),
                AuditColumn("application_username", .personal), AuditColumn("transaction_id", .personal),
                AuditColumn("offers", .texts(LedgerRefusals.publicFields)), AuditColumn("address", .address),
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

    /// Columns of every table: number, chain, link, and what stands for what is personal once that is erased.
    package static let leadingColumns = ["id", "chain", "link", "personal_digest"]

    /// The same, and behind them those that go into the chain.
    package var chainedColumns: [String] { Self.leadingColumns + columns.map(\.name) }

    /// The columns that are NULL once a customer is erased.
    package var personalColumns: [String] { columns.filter { $0.kind.isPersonal }.map(\.name) }

    /// The column with a list of offers, and how many texts of each are not personal.
    package var offerList: (name: String, publicFields: Int)? {
        for column in columns {
            if case .texts(let count) = column.kind { return (column.name, count) }
        }
        return nil
    }

    /// The column that says when a row was written, and the one that says who asked.
    package var entryColumns: (time: String, actor: String) {
        switch self {
        case .signatures: ("signed_at", "caller")
        case .refusals: ("refused_at", "caller")
        case .events: ("at", "actor")
        }
    }
}

extension AuditRowEncoder {
    /// Appends what a column that is no number has: a text's UTF-8 or a blob; nil for NULL.
    package func append(_ kind: AuditColumn.Kind, _ bytes: UnsafeRawBufferPointer?) {
        switch kind {
        case .number: preconditionFailure("a number is no bytes")
        case .bytes: append(bytes!)
        case .optional: append(optional: bytes)
        case .personal: appendPersonal(optional: bytes)
        case .address: append(address: bytes)
        case .texts(let count): append(list: bytes!, publicFields: count)
        }
    }
}
