import AppStore
import ArgumentParser
import EligibilityRules
import OfferService
import OfferStore

/// What the commands about histories share: the configuration and one app of it.
struct HistoryTools {
    let app: App
    let configuration: ServiceConfiguration

    /// - Parameter bundleID: nil means the only app that is configured.
    init(_ options: ConfigurationOptions, bundleID: String?) throws {
        configuration = try options.load()
        let apps = AppDirectory(configuration.apps.map(App.init))
        guard let bundleID = bundleID ?? (apps.bundleIDs.count == 1 ? apps.bundleIDs[0] : nil) else {
            throw ValidationError("say which app with --app: \(apps.bundleIDs.joined(separator: ", "))")
        }
        do {
            app = try apps.app(bundleID)
        } catch {
            throw ValidationError("no app \(bundleID) in the configuration; it has \(apps.bundleIDs.joined(separator: ", "))")
        }
    }
}
