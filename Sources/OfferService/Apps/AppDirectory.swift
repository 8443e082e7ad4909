import EligibilityRules
import OfferStore
import Synchronization
import WireText

/// The apps that this service signs for. Their rules and catalogues can be replaced while it runs, their ids cannot.
package final class AppDirectory: Sendable {
    private struct State {
        var apps: [ExactText: App]
        var statement: CatalogueStatement?
        var generation = 0
    }

    private let state: Mutex<State>

    /// - Parameter statement: what App Store Connect reports about the catalogues; nil if there is no file of `catalogue pull`.
    package init(_ apps: [App], statement: CatalogueStatement? = nil) {
        state = Mutex(State(apps: Self.byID(apps), statement: statement))
    }

    private static func byID(_ apps: [App]) -> [ExactText: App] {
        Dictionary(apps.map { (ExactText($0.bundleID), $0) }, uniquingKeysWith: { _, last in last })
    }

    private var apps: [ExactText: App] { state.withLock(\.apps) }

    /// Replaces the apps by those of another directory, which has the same bundle ids.
    ///
    /// A request that has begun keeps the app that it began with.
    package func replace(with other: AppDirectory) {
        let (new, before) = (other.state.withLock { $0 }, apps)
        precondition(new.apps.keys == before.keys, "an app comes or goes with a restart only")
        for (id, app) in new.apps { app.keepGroups(of: before[id]!) }
        state.withLock { state in
            state = State(apps: new.apps, statement: new.statement, generation: state.generation + 1)
        }
    }

    /// How often the apps were replaced.
    ///
    /// What was computed from their catalogues is valid until this number changes.
    var generation: Int { state.withLock(\.generation) }

    /// What App Store Connect reports about the catalogues; nil if there is no file of `catalogue pull`.
    package var statement: CatalogueStatement? { state.withLock(\.statement) }

    package var bundleIDs: [String] { apps.keys.map(\.string).sorted() }

    /// Every app, in the order of their bundle ids.
    package var all: [App] { apps.values.sorted { $0.bundleID < $1.bundleID } }

    /// The apps in each environment that they accept beside their own.
    package var additionalEnvironments: [App] { all.flatMap { [$0.sandbox, $0.xcode].compactMap(\.self) } }

    /// Every app, followed by its Sandbox if that is accepted: all partitions whose purchases can be known.
    package var partitions: [App] { all.flatMap { [$0] + ($0.sandbox.map { [$0] } ?? []) } }

    /// The app of a partition; nil if its environment is not accepted.
    func app(partition: AppPartition) -> App? {
        let app = state.withLock { $0.apps[ExactText(partition.bundleID)] }
        return switch partition.additionalEnvironment {
        case nil: app
        case .sandbox: app?.sandbox
        case .xcode: app?.xcode
        }
    }

    /// The app with this bundle id. Throws `AppError.unknown` if there is none.
    package func app(_ bundleID: String) throws(AppError) -> App {
        guard let app = state.withLock({ $0.apps[ExactText(bundleID)] }) else { throw .unknown(bundleID) }
        return app
    }

    /// The app that a request means: the one that it names, or the only one that the caller may use.
    package func app(named bundleID: String?, for caller: Caller) throws(AppError) -> App {
        guard let bundleID = bundleID ?? onlyApp(of: caller) else { throw .notNamed }
        guard caller.mayUse(app: bundleID) else { throw .notAllowed(bundleID) }
        guard let app = state.withLock({ $0.apps[ExactText(bundleID)] }) else {
            throw .unknown(
                bundleID, near: NearNames.suggestion(for: bundleID, among: bundleIDs.filter { caller.mayUse(app: $0) }))
        }
        return app
    }

    private func onlyApp(of caller: Caller) -> String? {
        if let allowed = caller.apps { return allowed.count == 1 ? allowed.first : nil }
        return state.withLock { $0.apps.count == 1 ? $0.apps.keys.first?.string : nil }
    }
}
