/// A column of an audited table, and how its values enter the hash of a row.
package struct AuditColumn {
    /// How the column is encoded.
    package enum Kind {
        case number, bytes, optional, personal, address
        /// A list of lists of texts, with the number of non-personal texts in each.
        case texts(Int)

        /// Whether the column is NULL after the erasure of a customer.
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
    /// The columns in the order in which `AuditRowEncoder` writes them. This order never changes.
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

    /// Columns of every table: number, chain, link, and the digest that replaces erased personal data.
    package static let leadingColumns = ["id", "chain", "link", "personal_digest"]

    /// The leading columns, followed by the columns that enter the chain.
    package var chainedColumns: [String] { Self.leadingColumns + columns.map(\.name) }

    /// The columns that are NULL after the erasure of a customer.
    package var personalColumns: [String] { columns.filter { $0.kind.isPersonal }.map(\.name) }

    /// The column with a list of offers, and the number of non-personal texts of each offer.
    package var offerList: (name: String, publicFields: Int)? {
        for column in columns {
            if case .texts(let count) = column.kind { return (column.name, count) }
        }
        return nil
    }

    /// The column with the time of a row, and the column with its actor.
    package var entryColumns: (time: String, actor: String) {
        switch self {
        case .signatures: ("signed_at", "caller")
        case .refusals: ("refused_at", "caller")
        case .events: ("at", "actor")
        }
    }
}

extension AuditRowEncoder {
    /// Appends the value of a column that is not a number: a text's UTF-8 or a blob; nil for NULL.
    package func append(_ kind: AuditColumn.Kind, _ bytes: UnsafeRawBufferPointer?) {
        switch kind {
        case .number: preconditionFailure("a number is not bytes")
        case .bytes: append(bytes!)
        case .optional: append(optional: bytes)
        case .personal: appendPersonal(optional: bytes)
        case .address: append(address: bytes)
        case .texts(let count): append(list: bytes!, publicFields: count)
        }
    }
}
