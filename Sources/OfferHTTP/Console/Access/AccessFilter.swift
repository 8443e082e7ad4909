import EligibilityRules
import OfferService

/// The access keys that a list shows.
enum AccessFilter: String, CaseIterable {
    case inUse = "in-use"
    case expiring
    case idle
    case over

    private static let day: Int64 = 86_400_000

    var label: String {
        switch self {
        case .inUse: "In use"
        case .expiring: "Expire within 14 days"
        case .idle: "Not used for 30 days"
        case .over: "Expired or revoked"
        }
    }

    /// Whether the list shows a key.
    func takes(_ key: AccessKey, at now: Instant) -> Bool {
        let isGood = key.isGood(at: now)
        return switch self {
        case .inUse: isGood
        case .expiring: isGood && (key.expiresAt.map { $0 < now.advanced(by: 14 * Self.day) } ?? false)
        case .idle: isGood && (key.lastUsedAt ?? key.createdAt) < now.advanced(by: -30 * Self.day)
        case .over: !isGood
        }
    }
}
