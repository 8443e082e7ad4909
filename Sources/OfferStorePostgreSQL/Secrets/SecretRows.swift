import OfferStore

/// The table `secret`.
enum SecretRows {
    /// The secret of this name. If there is none, the first process stores what `make` returns.
    static func secret(named name: String, make: () throws -> [UInt8], _ transaction: Transaction) throws -> [UInt8] {
        if let secret = try existing(name, transaction) { return secret }
        // The insertion waits for that of another process, so the next statement sees its secret.
        transaction.enqueue(
            Statement("INSERT INTO secret VALUES ($1, $2) ON CONFLICT DO NOTHING", [.text(name), .bytes(try make())]))
        guard let secret = try existing(name, transaction) else {
            throw StoreError(.unavailable, "another process has just taken the secret “\(name)” away")
        }
        return secret
    }

    private static func existing(_ name: String, _ transaction: Transaction) throws -> [UInt8]? {
        try transaction.run("SELECT value FROM secret WHERE name = $1", .text(name)).first { $0.bytes(0) }
    }
}
