import EligibilityRules
import OfferService

/// The content of the page about access keys.
struct AccessView: PageView {
    static let template = "access"

    /// An access key that was just made, with its secret.
    ///
    /// The secret is shown on this page and never again.
    struct Made: TemplateView {
        let id: String
        let note: String
        let secret: String
    }

    var made: Made?
    /// A sentence about the result of the reader's last action; nil if there was none.
    var done: String?
    let tabs: [TabView]
    /// The number of keys in use.
    let inUse: String
    let now: RichText
    let hasKeys: Bool
    let keys: [AccessRowView]
    let hasErrors: Bool
    let errors: [ErrorView]
    let wish: AccessFormView

    /// - Parameters:
    ///   - all: every access key that the reader may see.
    ///   - rows: the keys that the filter shows.
    init(
        _ all: [AccessKey],
        showing filter: AccessFilter,
        rows: [AccessRowView],
        wish: AccessFormView,
        faults: FormErrors,
        time: ConsoleTime
    ) {
        func count(_ filter: AccessFilter) -> String { ConsoleTime.number(all.count { filter.takes($0, at: time.now) }) }
        tabs = AccessFilter.allCases.map { each in
            TabView(
                href: "/console/access?show=\(each.rawValue)", label: each.label, count: count(each), isCurrent: each == filter)
        }
        inUse = count(.inUse)
        now = time.at(time.now)
        hasKeys = !rows.isEmpty
        keys = rows
        hasErrors = !faults.isEmpty
        errors = faults.views
        self.wish = wish
    }
}

/// Which access keys the list shows.
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

    /// Whether the list shows a key if this filter is chosen.
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
