/// The result of a verification.
public struct AuditReport: Equatable, Sendable {
    /// The result for one table.
    public struct Table: Equatable, Sendable {
        /// The table.
        public let table: AuditTable
        /// Number of linked rows.
        public package(set) var rows: Int64 = 0
        /// Number of linked rows that no seal covers yet.
        ///
        /// If they were removed from the end of their chains, no verification would notice.
        public package(set) var unsealed: Int64 = 0
        /// The ends of the chains that have such rows.
        public package(set) var unsealedEnds: [UnsealedEnd] = []
        /// Number of rows that retention removed.
        public package(set) var removed: Int64 = 0
    }

    /// The end of a chain whose last rows no seal covers yet.
    public struct UnsealedEnd: Equatable, Sendable {
        let head: AuditSeal.Head
        /// Number of rows that no seal covers.
        let rows: Int64
    }

    /// The faults in the order found: seals, then rows of each table. At most one for each table.
    public package(set) var faults: [AuditFault] = []
    /// One result for each table.
    public package(set) var tables: [Table] = []
    /// Number of seals.
    public package(set) var seals: Int64 = 0
    /// Number of seals that were signed with keys that this verification does not know.
    ///
    /// They are no fault, because a later seal with a known key covers them, too.
    public package(set) var strangeSeals: Int64 = 0
    /// The latest seal; nil for none.
    public package(set) var latestSeal: AuditSeal?
    /// Whether the seals' signatures could be checked: false without a key or without seals.
    public package(set) var isSealed = false

    package init() {}

    /// The ends of all chains that have rows which no seal covers yet.
    package var unsealedEnds: [UnsealedEnd] { tables.flatMap(\.unsealedEnds) }
}
