import EligibilityRules

/// The changes between the configuration that a process works with and a new one.
///
/// A reload applies some of them; the others wait for a restart.
struct ConfigurationDifference {
    let applied, waiting: [ConfigurationSettings.Change]

    init(from running: ConfigurationSettings, to new: ConfigurationSettings) {
        let (before, after) = (running.apps, new.apps)
        let changes = running.changes(to: new)
        let isApplied = { (change: ConfigurationSettings.Change) in
            // An app that is added or removed needs a restart, and so do all of its keys.
            ConfigurationKey.isReloaded(change.path) && change.app.map { before.contains($0) && after.contains($0) } != false
        }
        applied = changes.filter(isApplied)
        waiting = changes.filter { !isApplied($0) }
    }

    /// Returns changes, or what else a reload brings, in one line. The line names at most 20, because a new catalogue may bring
    /// hundreds. The audit log has all changes.
    static func line(_ texts: [String]) -> String {
        let shown = texts.prefix(20).joined(separator: "; ")
        return texts.count > 20 ? "\(shown); and \(texts.count - 20) more" : shown
    }
}

extension ConfigurationKey {
    /// The keys, or the beginnings of keys, that a reload applies while the service runs.
    private static let reloaded = [
        "logging.", "limits.requestsPerSecond", "limits.burst", "limits.endUsers.", "catalogue.file", "apps[].eligibility",
        "apps[].introductoryOverrides", "apps[].transfer", "apps[].requireHistory", "apps[].familySharedCountsAsOwn",
        "apps[].subscriptionGroups",
    ]

    /// Whether a reload applies the key of this path.
    static func isReloaded(_ path: String) -> Bool { reloaded.contains { path.hasPrefix($0) } }
}

extension AppConfiguration {
    /// Returns the app with those values of a new configuration that a reload applies: the rules and the catalogue.
    ///
    /// They must be the same as in `ConfigurationKey.isReloaded`.
    func reloaded(from new: AppConfiguration) -> AppConfiguration {
        var app = self
        (app.enforcement, app.introductoryOverrides, app.transfer) = (new.enforcement, new.introductoryOverrides, new.transfer)
        app.policy = EligibilityPolicy(
            requiresHistory: new.policy.requiresHistory, familySharedCountsAsOwn: new.policy.familySharedCountsAsOwn,
            environment: policy.environment)
        app.catalogue = new.catalogue
        return app
    }
}

extension ConfigurationSettings {
    /// The bundle ids of the apps.
    fileprivate var apps: Set<String> { Set(settings.values.filter { $0.path == "apps[].bundleId" }.compactMap(\.text)) }
}

extension ConfigurationSettings.Change {
    /// The bundle id of the app that the change is about; nil if it is about no app.
    fileprivate var app: String? {
        guard path.hasPrefix("apps[]"), let end = place.firstIndex(of: "]") else { return nil }
        return String(place[..<end].dropFirst("apps[".count))
    }
}
