import AppStore
import ArgumentParser
import EligibilityRules
import OfferStore

/// What the commands about histories share: the configuration, one app of it, and the store.
struct HistoryTools {
    let app: App
    let store: PurchaseStore
    let configuration: ServiceConfiguration

    /// - Parameters:
    ///   - bundleID: nil means the only app that is configured.
    ///   - store: one that is open already; nil opens it.
    init(_ options: ConfigurationOptions, bundleID: String?, cacheMebibytes: Int = 16, store: PurchaseStore? = nil) throws {
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
        self.store = try store ?? configuration.openPurchaseStore(cacheMebibytes: cacheMebibytes, onWait: StandardError.note)
    }
}
