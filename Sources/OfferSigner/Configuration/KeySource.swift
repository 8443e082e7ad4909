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
