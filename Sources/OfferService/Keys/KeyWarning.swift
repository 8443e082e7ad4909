import OfferSigning

/// A warning about the keys, for operators.
package enum KeyWarning: Equatable, Sendable {
    /// There are nine keys or more, and App Store Connect allows no more than ten In-App Purchase keys.
    case manyKeys(Int)
    /// One key signs for several apps, so revoking it in App Store Connect affects all of them.
    case shared(keyID: String, bundleIDs: [String])
    /// The app would have no key that signs if this one had to be revoked.
    case noSpare(bundleID: String, keyID: String)
    /// A file in the key folder cannot be used as a key.
    case fault(KeyFault)
    /// No key may sign for an app.
    case locked(KeyLock)

    /// The maximum number of In-App Purchase keys that a company may have in App Store Connect.
    package static let maxKeys = 10

    /// The warnings about these keys, faults and locks.
    package static func all(_ statuses: [KeyDesk.KeyStatus], faults: [KeyFault], locks: [KeyLock] = []) -> [KeyWarning] {
        var warnings = locks.map(KeyWarning.locked) + faults.map(KeyWarning.fault)
        let ids = Set(statuses.filter { $0.state != .revoked }.map(\.keyID))
        if ids.count >= maxKeys - 1 { warnings.append(.manyKeys(ids.count)) }
        let active = Dictionary(grouping: statuses.filter { $0.state == .active }, by: \.keyID)
        for (id, statuses) in active.sorted(by: { $0.key < $1.key }) where statuses.count > 1 {
            warnings.append(.shared(keyID: id, bundleIDs: statuses.map(\.bundleID)))
        }
        for (bundleID, statuses) in Dictionary(grouping: statuses, by: \.bundleID).sorted(by: { $0.key < $1.key }) {
            guard let active = statuses.first(where: { $0.state == .active }),
                !statuses.contains(where: { $0.keyID != active.keyID && $0.state != .revoked })
            else { continue }
            warnings.append(.noSpare(bundleID: bundleID, keyID: active.keyID))
        }
        return warnings
    }

    /// What the warning is about, in a few words.
    package var heading: String {
        switch self {
        case .manyKeys: "Room for more keys at Apple is running out"
        case .shared(let id, _): "Several apps sign with the key \(id)"
        case .noSpare(let app, _): "\(app) has no second key"
        case .locked(let lock): "No key signs for \(lock.bundleID)"
        case .fault(let fault): "A file in the key folder was refused\(fault.file.isEmpty ? "" : ": \(fault.file)")"
        }
    }

    /// The warning in a sentence that says what to do.
    package var sentence: String {
        switch self {
        case .manyKeys(let count):
            "\(count) keys are here, and App Store Connect has room for \(Self.maxKeys); revoke there what is safe to revoke"
        case .shared(let id, let apps):
            "the key \(id) signs for \(apps.joined(separator: ", ")): revoking it at Apple ends the offers of all of them"
        case .noSpare(let app, let id): "there is only one key for \(app), \(id); stage a second one before you need it"
        case .locked(let lock): lock.reason
        case .fault(let fault): "not used: \(fault.reason)"
        }
    }
}
