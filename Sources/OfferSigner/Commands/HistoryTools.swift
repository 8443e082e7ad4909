import AppStore
import ArgumentParser
import EligibilityRules
import OfferService
import OfferStore

/// The common part of the commands about histories: the configuration and one of its apps.
struct HistoryTools {
    /// The app in the requested environment.
    let app: App
    let configuration: ServiceConfiguration

    /// - Parameters:
    ///   - bundleID: nil means the only configured app.
    ///   - environment: nil means the app's own.
    init(_ options: ConfigurationOptions, bundleID: String?, environment: App.Environment? = nil) throws {
        configuration = try options.load()
        let apps = AppDirectory(configuration.apps.map(App.init))
        guard let bundleID = bundleID ?? (apps.bundleIDs.count == 1 ? apps.bundleIDs[0] : nil) else {
            throw ValidationError("say which app with --app: \(apps.bundleIDs.joined(separator: ", "))")
        }
        let own: App
        do {
            own = try apps.app(bundleID)
        } catch {
            throw CommandRefusal("no app \(bundleID) in the configuration; it has \(apps.bundleIDs.joined(separator: ", "))")
        }
        do {
            app = try own.app(in: environment).withPurchases()
        } catch {
            let name = environment?.rawValue ?? own.environmentName
            throw ValidationError("--environment: \(bundleID) accepts no data of \(name); see apps[].sandbox")
        }
    }
}
