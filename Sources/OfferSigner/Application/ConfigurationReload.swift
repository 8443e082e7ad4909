import Dispatch
import EligibilityRules
import Logging
import OfferHTTP
import OfferService
import OfferSigning
import ServiceLifecycle
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

/// Reads the configuration again, applies what can change while the service runs, and names what waits for a restart.
/// If a hardware module has refused a PIN, it is tried once more.
///
/// It is a class, because the service group logs a service at `debug`. Of a struct it would log the values, which here are the
/// configuration with its secrets.
final class ConfigurationReload: Service {
    private let environment: ServiceEnvironment
    private let apps: AppDirectory
    private let groups: GroupWatch
    private let audit: AuditLog
    private let hardware: HardwareKeys
    private let load: @Sendable () throws -> ServiceConfiguration
    private let queue = DispatchQueue(label: "reload")
    // The record is made separately, so that a reload never waits for the store: while the store is away, an operator is most
    // likely to change the level of the log.
    private let requests = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    private let records = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))

    private var logger: Logger { environment.logger }

    /// - Parameter load: reads the configuration again.
    init(
        _ environment: ServiceEnvironment,
        apps: AppDirectory,
        groups: GroupWatch,
        audit: AuditLog,
        hardware: HardwareKeys,
        load: @escaping @Sendable () throws -> ServiceConfiguration
    ) {
        (self.environment, self.apps, self.groups) = (environment, apps, groups)
        (self.audit, self.hardware, self.load) = (audit, hardware, load)
    }

    /// Asks for a reload, which begins once an earlier one has ended.
    func request() { requests.continuation.yield() }

    /// Reloads one after the other, and records what is in force, until the service stops.
    func run() async throws {
        await cancelWhenGracefulShutdown { [self] in
            await withDiscardingTaskGroup { group in
                group.addTask { [self] in for await _ in requests.stream { await reload() } }
                group.addTask { [self] in for await _ in records.stream { await record() } }
            }
        }
    }

    /// Reloads. If the new configuration cannot be used, nothing changes.
    private func reload() async {
        hardware.retryLogins()
        let configuration: ServiceConfiguration
        do { configuration = try await read() } catch {
            logger.error("the configuration cannot be read again; nothing was changed", metadata: ["reason": "\(error)"])
            return
        }
        let before = environment.settings.current
        let difference = ConfigurationDifference(from: before.settings, to: configuration.settings)
        let after = SettingsInForce.State(
            settings: before.settings.taking(difference.applied, from: configuration.settings),
            apps: before.apps.map { app in
                configuration.apps.first { $0.bundleID == app.bundleID }.map(app.reloaded) ?? app
            })
        for (old, new) in zip(before.apps, after.apps) { warn(of: old.catalogue.offers(missingIn: new.catalogue), new.bundleID) }
        await apply(configuration, after.apps)
        environment.settings.replace(with: after)
        report(difference)
        records.continuation.yield()
    }

    /// Reads the configuration on a thread of its own, because a disk may not respond.
    private func read() async throws -> ServiceConfiguration {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { [load] in continuation.resume(with: Result(catching: load)) }
        }
    }

    /// Applies every value that a reload may change, even if it has not changed.
    private func apply(_ configuration: ServiceConfiguration, _ configurations: [AppConfiguration]) async {
        environment.logLevel.change(to: configuration.logLevel)
        environment.offerLines.change(to: configuration.offerLines)
        environment.rates.replace(accessKeys: configuration.accessKeyRate, endUsers: configuration.endUserRate)
        let reloaded = AppDirectory(
            configurations.map { App($0, xcodeKey: (try? apps.app($0.bundleID))?.xcode?.ownKey) },
            statement: configuration.catalogue)
        // As at the start, the groups in which the App Store has the products count, even if the new catalogue names others.
        await groups.look(at: reloaded.partitions)
        apps.replace(with: reloaded)
    }

    private func report(_ difference: ConfigurationDifference) {
        let level = (environment.logLevel.current, environment.offerLines.extent)
        var metadata: Logger.Metadata = ["logging.level": "\(level.0)", "logging.signatures": "\(level.1)"]
        if !difference.applied.isEmpty { metadata["applied"] = "\(ConfigurationDifference.line(difference.applied.map(\.text)))" }
        logger.notice("the configuration was read again", metadata: metadata)
        guard !difference.waiting.isEmpty else { return }
        logger.warning(
            "changes of the configuration wait for a restart",
            metadata: ["waiting": "\(ConfigurationDifference.line(difference.waiting.map(\.text)))"])
    }

    /// Warns that offers have left the catalogue, because a mistake there makes the app's requests fail with `unknown-offer`.
    private func warn(of missing: [String], _ bundleID: String) {
        guard !missing.isEmpty else { return }
        logger.warning(
            "offers are no longer in the catalogue: requests for them are refused, and their redemptions are not recognised",
            metadata: ["app": "\(bundleID)", "offers": "\(ConfigurationDifference.line(missing))"])
    }

    /// Records what is in force. Tries again each second, until the store takes it.
    private func record() async {
        while !Task.isCancelled {
            do {
                let facts = environment.settings.current.settings.facts
                return try await ConfigurationRecord(log: audit).loaded(facts, by: .reloadConfiguration)
            } catch {
                environment.failures.note("the reload could not be recorded in the audit log", .of(error))
                try? await environment.system.sleep(.seconds(1))
            }
        }
    }
}

extension Catalogue {
    /// The promotional offers that the other catalogue lacks, each as `product/offer`.
    fileprivate func offers(missingIn other: Catalogue) -> [String] {
        sorted.flatMap { product in
            let kept = Set(other.product(product.id)?.promotionalOfferIDs ?? [])
            return product.promotionalOfferIDs.filter { !kept.contains($0) }.map { "\(product.id)/\($0)" }
        }
    }
}
