/// Where the signing keys come from.
struct KeySource {
    let directory: String
    let passphrase: String?
    /// A single key in the configuration itself, in place of the folder; nil if the folder is used.
    let inline: Inline?

    struct Inline {
        let id: String
        let pem: String
    }
}

/// Which offers have a line in the log (`logging.signatures`), from most lines to none.
enum LoggedOffers: String, CaseIterable {
    /// Every offer of every request.
    case full
    /// Every refused offer. Signatures, and overrides that were not needed, for one request in a hundred.
    case sampled
    case off
}
