/// The state of a log, in the `-shm` file that SQLite's processes share: https://sqlite.org/walformat.html.
struct LogIndex: Equatable {
    /// The end of a log. Each commit moves it on; a log that restarts has another salt.
    struct End: Equatable {
        let salt: UInt64
        let frames: UInt32
    }

    /// The size of the region that SQLite maps at once, which contains the whole header.
    static let regionSize: Int32 = 32_768
    private static let logHeaderSize: Int64 = 32
    private static let frameHeaderSize: Int64 = 24

    /// Rises with every commit, except when the index is repaired.
    let commits: UInt32
    /// Number of valid frames in the log.
    let frames: UInt32
    /// Page size in bytes.
    let pageSize: UInt16
    /// Changes each time the log restarts.
    let salt: UInt64
    /// Number of frames copied to the store's file, which the disk may not have yet.
    let copied: UInt32
    /// Number of frames that a checkpoint has begun to copy.
    let copying: UInt32

    /// - Parameter region: the first region of the file, which other processes change.
    init(_ region: UnsafeRawPointer) {
        commits = region.load(fromByteOffset: 8, as: UInt32.self)
        pageSize = region.load(fromByteOffset: 14, as: UInt16.self)
        frames = region.load(fromByteOffset: 16, as: UInt32.self)
        salt = region.load(fromByteOffset: 32, as: UInt64.self)
        copied = region.load(fromByteOffset: 96, as: UInt32.self)
        copying = region.load(fromByteOffset: 128, as: UInt32.self)
    }

    /// Minimum length of the log in bytes.
    var minLogSize: Int64 {
        // 1 means 65,536.
        let page = pageSize == 1 ? 65_536 : Int64(pageSize)
        return frames == 0 ? 0 : LogIndex.logHeaderSize + Int64(frames) * (LogIndex.frameHeaderSize + page)
    }

    /// The end of the log.
    var end: End { End(salt: salt, frames: frames) }

    /// Whether a checkpoint may have written to the store's file since.
    ///
    /// A checkpoint announces its beginning before its first write, and its progress after its last write.
    func allowsWrites(since earlier: LogIndex) -> Bool {
        if salt == earlier.salt { return copied != earlier.copied || copying != earlier.copying || copying > copied }
        // A log restarts once all of it was copied. Commits missing from the new log were copied; one commit may be in the new
        // log only.
        return copying > 0 || earlier.copied < earlier.frames || commits &- earlier.commits > (frames > 0 ? 1 : 0)
    }
}
