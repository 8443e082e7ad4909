import Glibc
import Synchronization

/// The time zones of this machine's database, each read once.
final class TimeZones: Sendable {
    private static let folder = "/usr/share/zoneinfo/"
    private static let maxSize = 65_536

    private let known = Mutex<[String: TimeZoneRules]>([:])

    /// Returns the rules of a zone, or UTC if there is no such zone.
    subscript(_ name: String) -> TimeZoneRules {
        if let rules = known.withLock({ $0[name] }) { return rules }
        let rules = TimeZoneName.isKnown(name) ? TimeZoneRules(name: name, Self.file(name)) ?? .utc : .utc
        known.withLock { $0[name] = rules }
        return rules
    }

    private static func file(_ name: String) -> [UInt8] {
        guard let file = fopen(folder + name, "r") else { return [] }
        defer { fclose(file) }
        return [UInt8](unsafeUninitializedCapacity: maxSize) { bytes, count in
            count = fread(bytes.baseAddress, 1, bytes.count, file)
        }
    }
}
