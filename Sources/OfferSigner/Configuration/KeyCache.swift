import OfferSigning
import Synchronization

/// Keys that were loaded from files: one whose file has not changed is not read again.
final class KeyCache: Sendable {
    private struct Loaded {
        let version: FileVersion
        let key: SigningKey
    }

    private let keys = Mutex<[String: Loaded]>([:])

    /// The key of a file, loaded by `load` unless that was done since the file was changed.
    func key(of path: String, _ load: () throws(SigningError) -> SigningKey) throws(SigningError) -> SigningKey {
        // What is changed while it is read counts as changed.
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

    /// Forgets every other file's key.
    func keep(only paths: Set<String>) { keys.withLock { $0 = $0.filter { paths.contains($0.key) } } }
}
