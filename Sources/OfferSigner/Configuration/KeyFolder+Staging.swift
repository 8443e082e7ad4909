import Glibc
import OfferService
import OfferSigning

extension KeyFolder {
    /// Writes a key file under a hidden name, tests it as the service would, and only then gives it its name.
    func stage(
        _ pem: SecretBytes,
        keyID: String,
        unlike known: [String: String],
        recorded: String?
    ) async throws -> String {
        guard source.inline == nil else { throw KeyError.folderReadOnly("the key is given in the configuration itself") }
        let name = "SubscriptionKey_\(keyID).p8"
        let (file, hidden) = ("\(source.directory)/\(name)", "\(source.directory)/.\(name).new")
        do throws(SigningError) { try KeyFile.check(id: keyID) } catch { throw KeyError.unusableKey(error.detail) }
        let isThere = TextFile.exists(file)
        guard !isThere || recorded != nil else { throw KeyError.there(name) }
        if !isThere { try write(pem, to: hidden) }
        defer { unlink(hidden) }
        let key: SigningKey
        do {
            key = try KeyFile(path: isThere ? file : hidden).load(id: keyID, passphrase: source.passphrase, slots: 1)
            if let other = known[key.fingerprint], other != keyID {
                throw SigningError(.duplicateKey, "this is the key \(other), which is here already")
            }
            if let objection = xcode.objection(to: key) { throw SigningError(.duplicateKey, objection) }
            if environment == .production, key.fingerprint == Self.exampleFingerprint {
                throw SigningError(.duplicateKey, "this is the published example key")
            }
            if isThere {
                // The folder already has a file with this name. That is right only if it is the same key.
                let given = try pem.withBytes { try SigningKey(id: keyID, pem: $0, passphrase: source.passphrase, slots: 1) }
                guard given.fingerprint == key.fingerprint, recorded != key.fingerprint else { throw KeyError.there(name) }
                return key.fingerprint
            }
        } catch let error as SigningError {
            throw KeyError.unusableKey(error.detail.replacing(hidden, with: name))
        }
        guard link(hidden, file) == 0 else { throw KeyError.folderReadOnly(String(cString: strerror(errno))) }
        return key.fingerprint
    }

    private func write(_ pem: SecretBytes, to path: String) throws {
        unlink(path)
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw KeyError.folderReadOnly(String(cString: strerror(errno))) }
        defer { close(descriptor) }
        guard pem.withBytes({ Glibc.write(descriptor, $0.baseAddress, $0.count) }) == pem.count, fsync(descriptor) == 0
        else {
            throw KeyError.folderReadOnly(String(cString: strerror(errno)))
        }
    }
}

extension KeyError {
    fileprivate static func there(_ name: String) -> KeyError {
        .unusableKey("\(name) is in the key folder already; nothing was changed")
    }
}
