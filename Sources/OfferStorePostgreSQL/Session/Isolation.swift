/// The isolation of a transaction, as the statement that begins it.
enum Isolation: String {
    /// All statements see the same snapshot. Read-only.
    case snapshot = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
    /// What was read still holds at the commit. Otherwise the database aborts the transaction, which is retried.
    case serializable = "BEGIN ISOLATION LEVEL SERIALIZABLE"
    /// Each statement sees what is durable when it begins. For rows that are locked as they are read.
    case latest = "BEGIN ISOLATION LEVEL READ COMMITTED"
}
