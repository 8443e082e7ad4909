/// The place of the store.
enum StoreLocation: Equatable {
    /// Two files of SQLite, which only the processes of one machine can serve.
    case sqlite(StoreFiles)
    /// A database that any number of services share: libpq's connection string or URI, which may hold a password.
    case postgresql(String)

    init(_ tree: ConfigurationTree) {
        self =
            tree.text("store.postgresql").map(StoreLocation.postgresql)
            ?? .sqlite(StoreFiles(signatures: tree.text("store.sqlite")!))
    }

    /// The files; nil for a database.
    var files: StoreFiles? {
        switch self {
        case .sqlite(let files): files
        case .postgresql: nil
        }
    }
}

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
