import OfferSigning
import Synchronization

/// Keys that were loaded from files. A key whose file has not changed is not read again.
final class KeyCache: Sendable {
    private struct Loaded {
        let version: FileVersion
        let key: SigningKey
    }

    private let keys = Mutex<[String: Loaded]>([:])

    /// Returns the key of a file. Calls `load` unless the file is unchanged since the last load.
    func key(of path: String, _ load: () throws(SigningError) -> SigningKey) throws(SigningError) -> SigningKey {
        // Taken before the read, so that a change during the read counts as a change.
        let version = FileVersion(path: path)
        if let version, let loaded = keys.withLock({ $0[path] }), loaded.version == version { return loaded.key }
        let key: SigningKey
        do {
            key = try load()
        } catch {
            keys.withLock { $0[path] = nil }
            throw error
        }
        if let version { keys.withLock { $0[path] = Loaded(version: version, key: key) } }
        return key
    }

    /// Removes the keys of all other files.
    func keep(only paths: Set<String>) { keys.withLock { $0 = $0.filter { paths.contains($0.key) } } }
}
