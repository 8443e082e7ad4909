import OfferSigning

/// A file with the public keys of a token issuer.
enum TokenKeyFile {
    /// Returns the document. Throws if another user could change it: such a user could make tokens for every customer.
    static func read(_ path: String) throws(ConfigurationError) -> [UInt8] {
        do {
            try KeyFile.checkOwner(of: path)
            try KeyFile.checkOnlyOwnerWrites(path)
        } catch {
            throw ConfigurationError(error.detail)
        }
        try TextFile.checkReadable(path, for: nil)
        guard let size = FileStatus(path: path)?.size, size <= Int64(TokenKeySet.maxSize) else {
            throw ConfigurationError("\(path) is larger than \(TokenKeySet.maxSize) bytes")
        }
        return Array(try TextFile.read(path).utf8)
    }
}
