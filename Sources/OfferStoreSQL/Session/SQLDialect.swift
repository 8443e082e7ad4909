/// The pieces of SQL in which the databases differ.
package struct SQLDialect: Sendable {
    /// The type of a text, which is compared by its bytes.
    package let text: String
    /// The type of a whole number, and of an instant in ms since 1970.
    package let number: String
    /// The type of bytes.
    package let bytes: String
    /// The type of a truth value.
    package let flag: String
    /// Type and constraint of a row's number, which the database assigns.
    ///
    /// It may assign the number of a removed row again.
    package let ownNumber: String
    /// Type and constraint of a row's number, which the database assigns and never assigns again.
    package let lastingNumber: String
    /// The end of the statement that creates a table.
    package let plain: String
    /// The end of the statement that creates a table whose rows lie in the order of its primary key, where there are such tables.
    package let ordered: String
    /// Whether every write waits for all others.
    ///
    /// In such a database it pays to read first whether there is anything to write, no row needs a lock, and the rows of the
    /// audit log are numbered in the order of their age.
    package let hasOneWriter: Bool
    /// The expression for 16 random bytes.
    package let randomBytes: String
    /// The expression for the present time, in ms since 1970.
    package let now: String
    /// The end of a query that locks its rows for an update, and waits for rows that another transaction has locked.
    ///
    /// It is empty if there is only one writer.
    package let locking: String
    /// The end of a query that locks its rows for an update, and leaves out rows that another transaction has locked.
    ///
    /// It is empty if there is only one writer.
    package let skippingLocked: String
    /// Makes the condition that a value is in a list. The condition follows the value.
    package let isAny: @Sendable (_ parameter: String) -> String
    /// Makes the triggers that raise a topic's revision after changes of a table's rows.
    package let raisingRevision: @Sendable (_ topic: String, _ changes: [Change], _ table: String) -> [String]
    /// Makes the trigger that refuses changes of a table's rows.
    package let refusingUpdates: @Sendable (_ table: String, _ message: String) -> String

    /// A change of a row.
    package enum Change: String, Sendable {
        case insert, update, delete
    }

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
