import Foundation
import OfferStore
import OfferStoreSQLite
import OfferStoreTesting
import Synchronization
import Testing

@Suite("Store locks")
struct StoreLockTests {
    private let folder: TemporaryFolder
    private var path: String { folder.path("store.sqlite") }

    init() throws { folder = try TemporaryFolder() }

    @Test("One service at a time serves a store, and the next one when it has ended")
    func serving() throws {
        let first = try ServingLock(path: path)
        let error = #expect(throws: StoreError(.inUse, "")) { try ServingLock(path: path) }
        #expect(error?.detail.contains("(process \(getpid()))") == true)
        #expect(error?.detail.contains("--allow-second-process") == true)
        _ = try ServingLock(path: folder.path("other.sqlite"))
        // A process that only opens the store is not kept out.
        try SQLiteStore(path: path, audit: .testing).close()
        first.release()
        try ServingLock(path: path).release()
    }

    @Test("The lock file is its owner's alone")
    func mode() throws {
        let file = path + "-lock"
        try Data().write(to: URL(filePath: file))
        chmod(file, 0o666)
        try SQLiteStore(path: path, audit: .testing).close()
        #expect(try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o600)
    }

    @Test("A folder or a link in the place of the lock file is named, with the remedy")
    func another() throws {
        let file = path + "-lock"
        try FileManager.default.createDirectory(atPath: file, withIntermediateDirectories: false)
        for _ in 0..<2 {
            let error = #expect(throws: StoreError(.unavailable, "")) { try SQLiteStore(path: path, audit: .testing) }
            #expect(error?.detail.contains(file) == true && error?.detail.contains("remove it") == true)
            try FileManager.default.removeItem(atPath: file)
            try FileManager.default.createSymbolicLink(atPath: file, withDestinationPath: "/dev/null")
        }
    }

    @Test("A folder that another process locks is opened all the same")
    func lockedFolder() throws {
        let descriptor = open(folder.path(""), O_RDONLY | O_DIRECTORY)
        defer { close(descriptor) }
        #expect(flock(descriptor, LOCK_EX) == 0)
        try SQLiteStore(path: path, audit: .testing).close()
    }
}
