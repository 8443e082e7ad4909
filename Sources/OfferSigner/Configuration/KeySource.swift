/// The source of the signing keys.
struct KeySource {
    let directory: String
    let passphrase: String?
    /// A single key in place of the folder.
    let inline: Inline?

    struct Inline {
        let id: String
        let pem: String
    }
}

/// The offers that have a line in the log, from most to least: `logging.signatures`.
enum LoggedOffers: String, CaseIterable {
    /// Each offer of each request.
    case full
    /// Every refused offer, and the signatures and unneeded overrides of one request in a hundred.
    case sampled
    case off
}
