import EligibilityRules
import OfferStore

/// The apps that this service signs for.
package struct AppDirectory: Sendable {
    private let apps: [ExactText: App]

    package init(_ apps: [App]) {
        self.apps = Dictionary(apps.map { (ExactText($0.bundleID), $0) }, uniquingKeysWith: { _, last in last })
    }

    package var bundleIDs: [String] { apps.keys.map(\.string).sorted() }

    /// Every app, in the order of their bundle ids.
    package var all: [App] { apps.values.sorted { $0.bundleID < $1.bundleID } }

    /// The apps in the environments beside their own, where those are accepted.
    package var additionalEnvironments: [App] { all.flatMap { [$0.sandbox, $0.xcode].compactMap(\.self) } }

    /// Every app, followed by its Sandbox if that is accepted: all partitions whose purchases can be known.
    package var partitions: [App] { all.flatMap { [$0] + ($0.sandbox.map { [$0] } ?? []) } }

    /// The app of a partition; nil if its environment is not accepted.
    func app(partition: AppPartition) -> App? {
        let app = apps[ExactText(partition.bundleID)]
        return switch partition.additionalEnvironment {
        case nil: app
        case .sandbox: app?.sandbox
        case .xcode: app?.xcode
        }
    }

    /// The app with this bundle id. Throws `AppError.unknown` if there is none.
    package func app(_ bundleID: String) throws(AppError) -> App {
        guard let app = apps[ExactText(bundleID)] else { throw .unknown(bundleID) }
        return app
    }

    /// The app that a request means: the one that it names, or the only one that the caller may use.
    package func app(named bundleID: String?, for caller: Caller) throws(AppError) -> App {
        guard let bundleID = bundleID ?? onlyApp(of: caller) else { throw .notNamed }
        guard caller.mayUse(app: bundleID) else { throw .notAllowed(bundleID) }
        return try app(bundleID)
    }

    private func onlyApp(of caller: Caller) -> String? {
        if let allowed = caller.apps { return allowed.count == 1 ? allowed.first : nil }
        return apps.count == 1 ? apps.keys.first?.string : nil
    }
}
