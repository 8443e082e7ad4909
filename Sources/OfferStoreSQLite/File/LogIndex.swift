/// What SQLite's processes agree on about a log, in the `-shm` file that they share: https://sqlite.org/walformat.html.
struct LogIndex: Equatable {
    /// The whole of the header: what SQLite maps at once.
    static let regionSize: Int32 = 32_768
    private static let logHeaderSize: Int64 = 32
    private static let frameHeaderSize: Int64 = 24

    /// Grows with every commit.
    let commits: UInt32
    /// Frames that are in the log and count.
    let frames: UInt32
    /// Bytes of a page.
    let pageSize: UInt16
    /// Another one each time the log begins anew.
    let salt: UInt64
    /// Frames that are safely in the store's file.
    let copied: UInt32
    /// Frames that a checkpoint began to copy.
    let copying: UInt32

    /// - Parameter region: the first of the file, which other processes change.
    init(_ region: UnsafeRawPointer) {
        commits = region.load(fromByteOffset: 8, as: UInt32.self)
        pageSize = region.load(fromByteOffset: 14, as: UInt16.self)
        frames = region.load(fromByteOffset: 16, as: UInt32.self)
        salt = region.load(fromByteOffset: 32, as: UInt64.self)
        copied = region.load(fromByteOffset: 96, as: UInt32.self)
        copying = region.load(fromByteOffset: 128, as: UInt32.self)
    }

    /// The log has at least so many bytes.
    var minLogSize: Int64 {
        // 1 stands for 65,536.
        let page = pageSize == 1 ? 65_536 : Int64(pageSize)
        return frames == 0 ? 0 : LogIndex.logHeaderSize + Int64(frames) * (LogIndex.frameHeaderSize + page)
    }

    /// Whether a checkpoint may have written into the store's file since.
    ///
    /// One says that it begins before it writes, and what it has done after its last write.
    func allowsWrites(since earlier: LogIndex) -> Bool {
        if salt == earlier.salt { return copied != earlier.copied || copying != earlier.copying || copying > copied }
        // A log begins anew once all of it was copied. A commit that is not in the new one was; a single one that may be there is.
        return copying > 0 || earlier.copied < earlier.frames || commits &- earlier.commits > (frames > 0 ? 1 : 0)
    }
}
