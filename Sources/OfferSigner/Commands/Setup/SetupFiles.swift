import FoundationEssentials
import Glibc
import OfferSigning

/// The files of a first configuration.
///
/// The paths are absolute, because a relative one means another file in each process's working directory.
struct SetupFiles {
    let configuration: String
    let keys: String
    let store: String

    /// - Parameters:
    ///   - keys: the key folder; nil for one beside the configuration.
    ///   - store: the store's first file; nil for one in a folder beside the configuration.
    init(configuration: String, keys: String?, store: String?) {
        let file = URL(filePath: configuration)
        let folder = file.deletingLastPathComponent()
        func absolute(_ path: String?, _ name: String) -> String {
            (path.map { URL(filePath: $0) } ?? folder.appending(path: name)).standardizedFileURL.path
        }
        self.configuration = file.standardizedFileURL.path
        self.keys = absolute(keys, "keys")
        self.store = absolute(store, "var/offersigner.sqlite")
    }

    private var manifest: String { "\(keys)/\(KeyManifest.fileName)" }

    /// The place for the first access key.
    var accessKey: String { URL(filePath: configuration).deletingLastPathComponent().appending(path: "access-key").path }

    private func copy(of key: SigningKey) -> String { "\(keys)/SubscriptionKey_\(key.id).p8" }

    /// Throws if a file exists already or the folder cannot be written to. Called before the first question.
    func checkFree() throws {
        guard !TextFile.exists(configuration) else {
            throw CommandRefusal("\(configuration) exists and stays as it is; name another file with --output, or move it away")
        }
        guard !TextFile.exists(manifest) else {
            throw CommandRefusal("\(manifest) exists and stays as it is; name another folder with --keys, or move it away")
        }
        let folder = URL(filePath: configuration).deletingLastPathComponent().path
        guard access(folder, W_OK | X_OK) == 0 else {
            throw CommandRefusal(
                "\(folder): \(String(cString: strerror(errno))); make it, or name a file elsewhere with --output")
        }
        try KeyFile.checkOnlyOwnerWrites(keys)
    }

    /// Returns why a key cannot be copied to the key folder; nil if it can be, or is there already.
    func objection(to key: SigningKey) -> String? {
        guard TextFile.exists(copy(of: key)) else { return nil }
        do throws(SigningError) {
            let present = try KeyFile(path: copy(of: key)).load(passphrase: nil, slots: 1)
            return present.fingerprint == key.fingerprint
                ? nil : "\(copy(of: key)) exists and is another key; name another folder with --keys"
        } catch {
            return error.detail
        }
    }

    /// Writes all files, the configuration last, or none if one cannot be written. Returns their paths.
    func write(_ content: FirstConfiguration, _ key: SigningKey, from file: KeyFile) throws -> [String] {
        guard mkdir(keys, 0o700) == 0 || errno == EEXIST else {
            throw CommandRefusal("\(keys) cannot be made: \(String(cString: strerror(errno)))")
        }
        var written = try file.copy(to: copy(of: key)) ? [copy(of: key)] : []
        var isComplete = false
        defer { if !isComplete { for path in written { unlink(path) } } }
        for (path, text, mode) in [(manifest, content.manifest(keyID: key.id), 0o600), (configuration, content.yaml, 0o640)] {
            let isNew = try Array(text.utf8).withUnsafeBytes { try KeyFolderFile.create(path, $0, mode: UInt32(mode)) }
            guard isNew else { throw CommandRefusal("\(path) was made by another process meanwhile, and stays as it is") }
            written.append(path)
        }
        isComplete = true
        return written
    }
}
