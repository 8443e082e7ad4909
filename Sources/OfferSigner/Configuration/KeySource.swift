/// Where the signing keys come from.
struct KeySource {
    let directory: String
    let passphrase: String?
    /// One key given in place of the folder.
    let inline: Inline?

    struct Inline {
        let id: String
        let pem: String
    }
}
