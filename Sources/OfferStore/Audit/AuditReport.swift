/// What a verification has found.
public struct AuditReport: Equatable, Sendable {
    /// Of one table.
    public struct Table: Equatable, Sendable {
        /// Which.
        public let table: AuditTable
        /// Rows that are linked, all of them.
        public package(set) var rows: Int64 = 0
        /// Of them, those behind the last seal of their chain: their end could be cut off unseen.
        public package(set) var unsealed: Int64 = 0
        /// Rows from before there were chains, of which nothing can be said.
        public package(set) var unchained: Int64 = 0
        /// Rows that retention took.
        public package(set) var removed: Int64 = 0
    }

    /// In the order in which they were found: seals, then rows of each table. Of a table only the first.
    public package(set) var faults: [AuditFault] = []
    /// One for each table.
    public package(set) var tables: [Table] = []
    /// How many seals there are.
    public package(set) var seals: Int64 = 0
    /// How many of them are signed with keys that are not known here; later seals cover them.
    public package(set) var strangeSeals: Int64 = 0
    /// The latest; nil for none.
    public package(set) var latestSeal: AuditSeal?
    /// Whether seals could be checked: false without any key, and if there are none.
    public package(set) var isSealed = false

    package init() {}
}
