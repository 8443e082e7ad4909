/// Which stores may be opened besides the one that was used here last.
public enum StoreAcceptance: Sendable {
    /// None.
    case current
    /// One that was copied to a database, which replaces it.
    case copied
    /// One that was copied, is in an earlier state than this machine knows, or is another one. It must be reinstated before it is
    /// used.
    case earlier
}
