/// The files of an SQLite store.
struct StoreFiles: Equatable {
    /// Signatures, access keys and secrets.
    let signatures: String
    /// Purchase histories, in a file beside it.
    var histories: String {
        signatures.hasSuffix(".sqlite") ? "\(signatures.dropLast(7))-histories.sqlite" : "\(signatures)-histories"
    }

    /// Both files.
    var paths: [String] { [signatures, histories] }
}
