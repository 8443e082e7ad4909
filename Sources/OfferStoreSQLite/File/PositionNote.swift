import GRDB
import OfferStore
import Synchronization

/// What this machine knows of how far a file of the store has come, kept in the lock file beside it.
///
/// Used on the writer's connection only. Written without waiting for the disk: a crash loses at most what was noted last.
final class PositionNote: Sendable {
    private let path: String
    private let storeID: UInt32
    /// Whether the file counts its transactions.
    ///
    /// Otherwise the last row of each table of the audit log shows how far it has come.
    private let isCounted: Bool
    /// The position that was noted last; nil while any state of the store is accepted.
    private let noted = Mutex<StorePosition?>(nil)

    /// - Parameters:
    ///   - path: the store's path.
    ///   - storeID: the id in the file's header.
    init(path: String, storeID: UInt32, isCounted: Bool) {
        (self.path, self.storeID, self.isCounted) = (path, storeID, isCounted)
    }

    /// Compares the file with the note, and notes its position from now on.
    ///
    /// Throws `setBack` if the note is about another file, or if the file is behind it.
    ///
    /// - Parameter isNew: whether the file was just made, so that the note is about another file.
    func begin(_ database: Database, isNew: Bool) throws {
        let text = isNew ? "" : try StoreLock.note(of: path)
        if !text.isEmpty {
            guard let note = StorePosition(text: text) else {
                throw StoreError(
                    .setBack,
                    "\(StoreLock.file(of: path)) is damaged, so \(path) may be an older copy; if it is the newest, "
                        + "or the newest is lost, run offersigner store restored; see docs/backup.md")
            }
            guard note.store == "\(storeID)" else {
                throw StoreError(.setBack, "\(path) is not the store that this machine has used here; \(Self.remedy)")
            }
            try check(note, database)
        }
        noted.withLock { $0 = StorePosition(store: "\(storeID)") }
        try update(database)
    }

    /// Throws if the store is behind what this process has noted.
    func check(_ database: Database) throws {
        guard let note = noted.withLock({ $0 }) else { return }
        try check(note, database)
    }

    /// Notes how far the store has come.
    func update(_ database: Database) throws {
        guard let before = noted.withLock({ $0 }) else { return }
        var position = before
        for (name, place) in try isCounted ? Self.count(database) : Self.lastRows(database) { position.places[name] = place }
        guard position != before else { return }
        try StoreLock.note(position.text, of: path)
        noted.withLock { $0 = position }
    }

    /// Counts a transaction, if the file counts its transactions.
    func advance(_ database: Database) throws {
        guard isCounted else { return }
        try PreparedStatement(database, "UPDATE position SET number = number + 1").run()
    }

    private func check(_ note: StorePosition, _ database: Database) throws {
        for (name, place) in note.places where try !has(name, place, database) {
            throw StoreError(
                .setBack, "\(path) is behind what this machine knows of it (\(name) \(place.number)); \(Self.remedy)")
        }
    }

    private static let remedy =
        "put the newer one back or, if it is lost, run offersigner store restored; see docs/backup.md"

    private func has(_ name: String, _ place: StorePosition.Place, _ database: Database) throws -> Bool {
        if isCounted { return try Self.count(database)[name].map { $0.number >= place.number } ?? false }
        guard let table = AuditTable(rawValue: name) else { return false }
        let row = try PreparedStatement(database, "SELECT link FROM \(table.rawValue) WHERE id = ?")
        row.bind(place.number, at: 1)
        defer { row.reset() }
        if try row.step() { return row.withBytes(0) { $0.elementsEqual(place.proof) } }
        let removed = try PreparedStatement(database, "SELECT removed >= ? FROM audit_table WHERE name = ?")
        removed.bind(place.number, at: 1)
        removed.bind(table.rawValue, at: 2)
        defer { removed.reset() }
        return try removed.step() && removed.number(0) == 1
    }

    private static func count(_ database: Database) throws -> [String: StorePosition.Place] {
        let count = try PreparedStatement(database, "SELECT number FROM position")
        defer { count.reset() }
        return try count.step() ? ["transactions": StorePosition.Place(count.number(0))] : [:]
    }

    private static func lastRows(_ database: Database) throws -> [String: StorePosition.Place] {
        var places: [String: StorePosition.Place] = [:]
        for table in AuditTable.allCases {
            let last = try PreparedStatement(database, "SELECT id, link FROM \(table.rawValue) ORDER BY id DESC LIMIT 1")
            defer { last.reset() }
            guard try last.step() else { continue }
            places[table.rawValue] = StorePosition.Place(last.number(0), proof: last.withBytes(1) { Array($0) })
        }
        return places
    }
}
