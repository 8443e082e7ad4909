/// Why the store could not do its work.
///
/// Equal when the codes are equal.
public struct StoreError: Error, Equatable, Sendable, CustomStringConvertible {
    /// A stable name of the cause.
    public enum Code: String, Sendable {
        /// Nothing was written; the same call may succeed later.
        case unavailable = "store-unavailable"
        /// The write-ahead log was removed under the running service.
        case logRemoved = "store-log-removed"
        /// The files were changed from outside under the running service; a restart is needed, or a backup.
        case filesChanged = "store-files-changed"
        /// Another process serves this store.
        case inUse = "store-in-use"
        /// A newer release has migrated this store; this one must not touch it.
        case newerSchema = "store-schema-newer"
        /// A stored record is not what was written.
        case damaged = "store-damaged"
        /// The store cannot give what was promised of it, such as durable commits.
        case unsuitable = "store-unsuitable"
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

    /// Equal when the codes are equal.
    public static func == (left: StoreError, right: StoreError) -> Bool { left.code == right.code }

    /// Code and detail, for logs and terminals.
    public var description: String { "\(code.rawValue): \(detail)" }
}
