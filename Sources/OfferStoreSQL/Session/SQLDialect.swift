/// The words in which the databases differ. Each database states its own.
package struct SQLDialect: Sendable {
    /// The type of a text, which is compared by its bytes.
    package let text: String
    /// The type of a whole number, and of an instant in ms since 1970.
    package let number: String
    /// The type of bytes.
    package let bytes: String
    /// The type of a truth value.
    package let flag: String
    /// Type and constraint of a row's own number, which the database gives; the number of a removed row may be given again.
    package let ownNumber: String
    /// The same, for numbers that are never given again.
    package let lastingNumber: String
    /// Ends a table.
    package let plain: String
    /// Ends a table whose rows lie in the order of its primary key, if the database knows such tables.
    package let ordered: String
    /// Whether a write waits for every other one. Then it is worth a look whether there is anything to write, no row needs a lock,
    /// and rows of the audit log are numbered in the order of their age.
    package let hasOneWriter: Bool
    /// A function that makes 16 random bytes.
    package let randomBytes: String
    /// A function that tells the time, in ms since 1970.
    package let now: String
    /// Ends a selection of rows for an update that waits for those that another transaction has locked, if there can be others.
    package let locking: String
    /// Ends a selection of rows for an update that skips those that another transaction has locked, if there can be others.
    package let skippingLocked: String
    /// Whether what stands before it is in a list.
    package let isAny: @Sendable (_ parameter: String) -> String
    /// Makes the triggers that raise a topic's revision after changes of a table's rows.
    package let raisingRevision: @Sendable (_ topic: String, _ changes: [Change], _ table: String) -> [String]
    /// Makes the trigger that refuses changes of a table's rows.
    package let refusingUpdates: @Sendable (_ table: String, _ message: String) -> String

    /// A change of a row.
    package enum Change: String, Sendable {
        case insert, update, delete
    }

    /// States the words of a database.
    package init(
        types: (text: String, number: String, bytes: String, flag: String),
        ownNumbers: (any: String, lasting: String),
        endings: (plain: String, ordered: String),
        functions: (randomBytes: String, now: String),
        writers: (areOne: Bool, locking: String, skippingLocked: String),
        isAny: @escaping @Sendable (_ parameter: String) -> String,
        raisingRevision: @escaping @Sendable (_ topic: String, _ changes: [Change], _ table: String) -> [String],
        refusingUpdates: @escaping @Sendable (_ table: String, _ message: String) -> String
    ) {
        (text, number, bytes, flag) = types
        (ownNumber, lastingNumber) = ownNumbers
        (plain, ordered) = endings
        (randomBytes, now) = functions
        (hasOneWriter, locking, skippingLocked) = writers
        self.isAny = isAny
        self.raisingRevision = raisingRevision
        self.refusingUpdates = refusingUpdates
    }
}
