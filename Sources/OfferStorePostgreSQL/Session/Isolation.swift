/// What a transaction sees of others that run beside it, by the statement that begins it.
enum Isolation: String {
    /// All of it sees the same; it only reads.
    case snapshot = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
    /// What it has read still holds when it is durable, or the database refuses it, and it begins anew.
    case serializable = "BEGIN ISOLATION LEVEL SERIALIZABLE"
    /// Each statement sees what is durable by then: for rows that are locked as they are read.
    case latest = "BEGIN ISOLATION LEVEL READ COMMITTED"
}
