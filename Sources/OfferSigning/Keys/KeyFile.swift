import COpenSSLShim
import Glibc

/// A file with an In-App Purchase key, which App Store Connect names `SubscriptionKey_<KEYID>.p8`.
public struct KeyFile: Sendable {
    /// The path of the file.
    public let path: String

    /// Refers to the file at a path, without reading it.
    public init(path: String) { self.path = path }

    /// The key id in the file's name; nil if the name does not have this form.
    public var idInName: String? { text(after: "SubscriptionKey_") }

    /// Loads the key after checking the file's name, owner and permissions.
    ///
    /// - Parameter id: the key id, if a manifest states it; otherwise nil. If the file's name has another id, an error is thrown.
    public func load(id: String? = nil, passphrase: String?, slots: Int) throws(SigningError) -> SigningKey {
        guard text(after: "AuthKey_") == nil, text(after: "ApiKey_") == nil else {
            throw SigningError(
                .appStoreConnectKey,
                "\(name) is an App Store Connect API key; offers need an In-App Purchase key, SubscriptionKey_<KEYID>.p8"
            )
        }
        return try withContents { contents throws(SigningError) in
            try SigningKey(id: try checkedID(id), pem: contents, passphrase: passphrase, slots: slots)
        }
    }

    /// Loads a key for the App Store Connect API, which cannot sign offers.
    ///
    /// - Parameter id: the key id; nil if the file is named `AuthKey_<KEYID>.p8`, so that its name states the id.
    public func loadAppStoreConnectKey(id: String? = nil) throws(SigningError) -> SigningKey {
        guard idInName == nil else {
            throw SigningError(
                .appStoreConnectKey,
                "\(name) is an In-App Purchase key; App Store Connect needs one of its own API, AuthKey_<KEYID>.p8")
        }
        guard let id = id ?? text(after: "AuthKey_") ?? text(after: "ApiKey_") else {
            throw SigningError(.idMissing, "\(name) does not name its key id; give it, or call the file AuthKey_<KEYID>.p8")
        }
        try KeyFile.check(id: id)
        return try withContents { contents throws(SigningError) in
            try SigningKey(id: id, pem: contents, passphrase: nil, slots: 1)
        }
    }

    private func checkedID(_ id: String?) throws(SigningError) -> String {
        if let id, let idInName, id != idInName {
            throw SigningError(.idMismatch, "the key id is given as \(id), but the file is named \(name)")
        }
        guard let id = id ?? idInName else {
            throw SigningError(.idMissing, "\(name) does not name its key id: call it SubscriptionKey_<KEYID>.p8")
        }
        try KeyFile.check(id: id)
        return id
    }

    /// Throws if a text cannot be a key id. An example is `2X9R4HXF34 (1)`, from the name of a file that was downloaded twice.
    public static func check(id: String) throws(SigningError) {
        guard id.wholeMatch(of: /[0-9A-Za-z]+/) == nil else { return }
        throw SigningError(
            .idMalformed, "\(id) is not a key id: it has letters and digits only; a key file is named SubscriptionKey_<KEYID>.p8")
    }

    private var name: String { String(path.split(separator: "/").last ?? "") }

    private func text(after prefix: String) -> String? {
        guard name.hasPrefix(prefix) else { return nil }
        let rest = name.dropFirst(prefix.count)
        let id = rest.prefix { $0 != "." }
        return id.isEmpty ? nil : String(id)
    }

    /// Calls `body` with the file's bytes, and wipes them afterwards.
    func withContents<Result>(
        _ body: (UnsafeRawBufferPointer) throws(SigningError) -> Result
    ) throws(SigningError) -> Result {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { throw SigningError(.fileUnreadable, "\(path): \(String(cString: strerror(errno)))") }
        defer { close(file) }
        try KeyFile.checkFolder(of: path)
        let size = try checkedSize(of: file)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: size + 1, alignment: 1)
        defer {
            oss_cleanse(buffer.baseAddress, buffer.count)
            buffer.deallocate()
        }
        var filled = 0
        while filled < size {
            let count = read(file, buffer.baseAddress! + filled, size - filled)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw SigningError(.fileUnreadable, "\(path): changed while it was read") }
            filled += count
        }
        return try body(UnsafeRawBufferPointer(rebasing: buffer[..<filled]))
    }

    private func checkedSize(of file: Int32) throws(SigningError) -> Int {
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw SigningError(.fileUnreadable, "\(path): not a regular file")
        }
        guard KeyFile.isTrusted(status.st_uid) else {
            throw SigningError(.fileOwnedByAnother, KeyFile.remedy(for: path, status))
        }
        guard status.st_mode & 0o026 == 0 else {
            throw SigningError(
                .fileReadableByOthers,
                "\(path): others may read it, or the group may change it "
                    + "(mode \(String(status.st_mode & 0o777, radix: 8))); run: chmod 600 \(path)"
            )
        }
        guard status.st_size <= 65_536 else {
            throw SigningError(.fileTooLarge, "\(path): \(status.st_size) bytes; a key has some 300")
        }
        return Int(status.st_size)
    }
}

extension KeyFile {
    /// Copies the file to a path, where only the folder's owner can read it. Returns false if there is a file already.
    package func copy(to path: String) throws(SigningError) -> Bool {
        try withContents { contents throws(SigningError) in try KeyFolderFile.create(path, contents) }
    }
}

extension KeyFile {
    /// Throws unless the file's folder belongs to this process's user or root, and other users cannot add files to it.
    public static func checkFolder(of path: String) throws(SigningError) {
        let slash = path.lastIndex(of: "/")
        let folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        var status = stat()
        guard stat(folder, &status) == 0 else {
            throw SigningError(.fileUnreadable, "\(folder): \(String(cString: strerror(errno)))")
        }
        guard isTrusted(status.st_uid) else {
            throw SigningError(.fileOwnedByAnother, remedy(for: folder, status))
        }
        // A folder with the sticky bit, such as /tmp, is accepted, because in it no user can remove or rename another user's
        // files.
        guard status.st_mode & 0o022 == 0 || status.st_mode & S_ISVTX != 0 else {
            throw SigningError(
                .folderWritableByOthers,
                "\(folder): others may put files into it (mode \(String(status.st_mode & 0o777, radix: 8))); run: chmod go-w \(folder)"
            )
        }
    }

    /// Throws if a file exists and belongs to neither this process's user nor root.
    public static func checkOwner(of path: String) throws(SigningError) {
        var status = stat()
        guard stat(path, &status) == 0, !isTrusted(status.st_uid) else { return }
        throw SigningError(.fileOwnedByAnother, remedy(for: path, status))
    }

    /// Throws if a file exists and its mode lets other users change it.
    package static func checkOnlyOwnerWrites(_ path: String) throws(SigningError) {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & 0o022 != 0 else { return }
        throw SigningError(
            .fileWritableByOthers,
            "\(path): others may change it (mode \(String(status.st_mode & 0o777, radix: 8))); run: chmod go-w \(path)")
    }

    static func isTrusted(_ owner: uid_t) -> Bool { owner == geteuid() || owner == 0 }

    static func remedy(for path: String, _ status: stat) -> String {
        "\(path): belongs to the user with the id \(status.st_uid), who could change it; "
            + "run: chown \(geteuid()) \(path) (or root)"
    }
}
