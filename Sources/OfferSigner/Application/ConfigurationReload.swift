import Logging
import OfferService
import Synchronization

/// The settings that this process works with. They are those of its start until a reload changes some.
final class SettingsInForce: Sendable {
    struct State {
        var settings: ConfigurationSettings
        var apps: [AppConfiguration]
    }

    private let state: Mutex<State>

    init(_ configuration: ServiceConfiguration) {
        state = Mutex(State(settings: configuration.settings, apps: configuration.apps))
    }

    var current: State { state.withLock { $0 } }

    func replace(with new: State) { state.withLock { $0 = new } }
}

/// Reads the configuration again, applies what can change while the service runs, and logs what waits for a restart.
///
/// It also permits one more attempt with a PIN that a token has refused.
struct ConfigurationReload: Sendable {
    let environment: ServiceEnvironment
    let apps: AppDirectory
    let audit: AuditLog
    let hardware: HardwareKeys
    let load: @Sendable () throws -> ServiceConfiguration

    private var logger: Logger { environment.logger }

    /// Reloads the configuration. If the new one cannot be used, the present one stays in force.
    func run() {
        hardware.retryLogins()
        let configuration: ServiceConfiguration
        do { configuration = try load() } catch {
            logger.error("the configuration cannot be read again; nothing was changed", metadata: ["reason": "\(error)"])
            return
        }
        let before = environment.settings.current
        let difference = ConfigurationDifference(from: before.settings, to: configuration.settings)
        apply(configuration)
        let settings = before.settings.taking(difference.applied, from: configuration.settings)
        environment.settings.replace(with: SettingsInForce.State(settings: settings, apps: before.apps(reloaded: configuration)))
        report(difference)
        record(settings)
    }

    /// Applies every value that a reload may change, even if it has not changed.
    private func apply(_ configuration: ServiceConfiguration) {
        environment.logLevel.change(to: configuration.logLevel)
        environment.offerLines.change(to: configuration.offerLines)
        environment.rates.replace(accessKeys: configuration.accessKeyRate, endUsers: configuration.endUserRate)
        let reloaded = environment.settings.current.apps(reloaded: configuration).map { app in
            App(app, xcodeKey: (try? apps.app(app.bundleID))?.xcode?.ownKey)
        }
        apps.replace(with: reloaded, statement: configuration.catalogue)
    }

    private func report(_ difference: ConfigurationDifference) {
        let level = (environment.logLevel.current, environment.offerLines.extent)
        var metadata: Logger.Metadata = ["logging.level": "\(level.0)", "logging.signatures": "\(level.1)"]
        if !difference.applied.isEmpty { metadata["applied"] = "\(ConfigurationDifference.text(difference.applied))" }
        logger.notice("the configuration was read again", metadata: metadata)
        guard !difference.waiting.isEmpty else { return }
        logger.warning(
            "changes of the configuration wait for a restart",
            metadata: ["waiting": "\(ConfigurationDifference.text(difference.waiting))"])
    }

    private func record(_ settings: ConfigurationSettings) {
        Task {
            do { try await ConfigurationRecord(log: audit).loaded(settings.facts, by: .reloadConfiguration) } catch {
                logger.error(
                    "the audit log could not record that the configuration was read again", metadata: ["reason": "\(error)"])
            }
        }
    }
}

extension SettingsInForce.State {
    /// The apps of this process, with the rules and catalogues of a new configuration.
    fileprivate func apps(reloaded configuration: ServiceConfiguration) -> [AppConfiguration] {
        apps.map { app in
            configuration.apps.first { $0.bundleID == app.bundleID }.map(app.reloaded) ?? app
        }
    }
}
