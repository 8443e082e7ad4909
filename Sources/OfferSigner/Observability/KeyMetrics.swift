import EligibilityRules
import OfferService
import OfferSigning

/// Reports the loaded keys, since when they are loaded, and the age of their files.
struct KeyMetrics: MetricSource {
    let apps: AppDirectory
    let keys: CurrentKeyRing
    /// The time of the last change of each key's file, by key id, in seconds since 1970.
    let fileTimes: @Sendable () -> [String: Int64]

    func samples() -> [MetricSample] {
        let ring = keys.current
        let fileTimes = fileTimes()
        let states = ring.entries.flatMap { entry in
            let states = Set(apps.bundleIDs.filter(entry.serves).map(entry.state))
            // A key that has different states in its apps has one sample for each state.
            return (states.isEmpty ? [entry.state] : states.sorted { $0.rawValue < $1.rawValue }).map { state in
                MetricSample(
                    name: "offersigner_key_state",
                    labels: [MetricSample.Label("key", entry.key.id), MetricSample.Label("state", state.rawValue)], value: 1)
            }
        }
        let ages = ring.entries.compactMap { entry in
            fileTimes[entry.key.id].map { time in
                MetricSample(
                    name: "offersigner_key_file_timestamp_seconds", labels: [MetricSample.Label("key", entry.key.id)],
                    value: Double(time))
            }
        }
        let reachable = ring.entries.filter(\.key.signsLater).map { entry in
            MetricSample(
                name: "offersigner_key_module_available", labels: [MetricSample.Label("key", entry.key.id)],
                value: entry.key.outage == nil ? 1 : 0)
        }
        let active = apps.bundleIDs.map { app in
            MetricSample(
                name: "offersigner_app_active_key", labels: [MetricSample.Label("app", app)],
                value: ring.active(for: app) == nil ? 0 : 1)
        }
        let locked = Set(keys.locks.map(\.bundleID))
        let locks = apps.bundleIDs.map { app in
            MetricSample(
                name: "offersigner_app_keys_locked", labels: [MetricSample.Label("app", app)], value: locked.contains(app) ? 1 : 0
            )
        }
        let loaded = MetricSample(
            name: "offersigner_keys_loaded_timestamp_seconds", value: Double(keys.loadedAt.milliseconds) / 1000)
        let faults = MetricSample(name: "offersigner_key_file_faults", value: Double(keys.faults.count))
        return states + ages + reachable + active + locks + [loaded, faults]
    }
}
