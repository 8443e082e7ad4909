import OfferSigning
import Synchronization

/// The entries of a key manifest: one that has not changed is not read again, however often the folder is looked at.
final class ManifestCache: Sendable {
    private struct Parsed {
        let version: FileVersion
        let entries: [KeyManifest.Entry]
    }

    private let parsed = Mutex<Parsed?>(nil)

    /// What a manifest lists, read by `read` unless that was done since it was changed.
    func entries(
        of path: String,
        _ read: () throws(ConfigurationError) -> [KeyManifest.Entry]
    ) throws(ConfigurationError) -> [KeyManifest.Entry] {
        // What is changed while it is read counts as changed.
        let version = FileVersion(path: path)
        if let version, let parsed = parsed.withLock(\.self), parsed.version == version { return parsed.entries }
        parsed.withLock { $0 = nil }
        let entries = try read()
        if let version { parsed.withLock { $0 = Parsed(version: version, entries: entries) } }
        return entries
    }
}
