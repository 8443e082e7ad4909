/// Which stores may be opened besides the one that was used here last.
public enum StoreAcceptance: Sendable {
    /// Only the store that was used here last.
    case current
    /// Also a store that was copied to a database, although the copy replaces it.
    case copied
    /// Also a store that was copied, that is in an earlier state than this machine knows, or that was not used here before.
    ///
    /// It must be reinstated before services use it.
    case earlier
}
