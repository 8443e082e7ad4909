/// An error of the store.
///
/// Equal when the codes are equal.
public struct StoreError: Error, Equatable, Sendable, CustomStringConvertible {
    /// A stable code of the cause.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The code as logged.
        public let rawValue: String

        /// - Parameter rawValue: the code as logged.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Nothing was written; the same call may succeed later.
        public static let unavailable = Code(rawValue: "store-unavailable")
        /// Another process serves this store.
        public static let inUse = Code(rawValue: "store-in-use")
        /// A newer release has migrated this store, so this release must not use it.
        public static let newerSchema = Code(rawValue: "store-schema-newer")
        /// The store has other tables, triggers or the like than this release makes.
        public static let schemaChanged = Code(rawValue: "store-schema-changed")
        /// The store is in an earlier state than this machine knows, or is a different store.
        public static let setBack = Code(rawValue: "store-set-back")
        /// A stored record is damaged.
        public static let damaged = Code(rawValue: "store-damaged")
        /// The access key that acts was revoked meanwhile; nothing was written.
        public static let actorRevoked = Code(rawValue: "actor-revoked")
        /// The store cannot keep a promise, such as durable commits.
        public static let unsuitable = Code(rawValue: "store-unsuitable")
        /// The write-ahead log of a file was removed while the service was running.
        public static let logRemoved = Code(rawValue: "store-log-removed")
        /// Files were changed from outside while the service was running. A restart is needed, or a backup.
        public static let filesChanged = Code(rawValue: "store-files-changed")

        package static let all = [
            unavailable, inUse, newerSchema, schemaChanged, setBack, damaged, actorRevoked, unsuitable, logRemoved, filesChanged,
        ]
    }

    /// The cause.
    public let code: Code
    /// What happened, without any stored data.
    public let detail: String

    /// - Parameter detail: what happened, without any stored data.
    public init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    /// - Parameter id: the id of the revoked access key.
    package init(actorRevoked id: String) { self.init(.actorRevoked, "the access key \(id) was revoked meanwhile") }

    /// Equal when the codes are equal.
    public static func == (left: StoreError, right: StoreError) -> Bool { left.code == right.code }

    /// Code and detail, for logs and terminals.
    public var description: String { "\(code.rawValue): \(detail)" }
}
