import OfferSigning
import Synchronization

/// The entries of a key manifest. An unchanged manifest is not read again, however often the folder is checked.
final class ManifestCache: Sendable {
    private struct Parsed {
        let version: FileVersion
        let entries: [KeyManifest.Entry]
    }

    private let parsed = Mutex<Parsed?>(nil)

    /// Returns the entries of a manifest. Calls `read` unless the manifest is unchanged since the last read.
    func entries(
        of path: String,
        _ read: () throws(ConfigurationError) -> [KeyManifest.Entry]
    ) throws(ConfigurationError) -> [KeyManifest.Entry] {
        // Taken before the read, so that a change during the read counts as a change.
        let version = FileVersion(path: path)
        if let version, let parsed = parsed.withLock(\.self), parsed.version == version { return parsed.entries }
        parsed.withLock { $0 = nil }
        let entries = try read()
        if let version { parsed.withLock { $0 = Parsed(version: version, entries: entries) } }
        return entries
    }
}
