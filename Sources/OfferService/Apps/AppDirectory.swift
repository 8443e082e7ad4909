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

    /// The Sandboxes beside apps, of those that take it.
    package var sandboxes: [App] { all.compactMap(\.sandbox) }

    /// Every app, and behind it its Sandbox, if that is taken.
    package var partitions: [App] { all.flatMap { [$0] + ($0.sandbox.map { [$0] } ?? []) } }

    /// The app that stores know by a name.
    func app(partition name: String) -> App? {
        let partition = AppPartition(name: name)
        let app = apps[ExactText(partition.bundleID)]
        return partition.isSandbox ? app?.sandbox : app
    }

    /// The app of a bundle id.
    package func app(_ bundleID: String) throws(AppError) -> App {
        guard let app = apps[ExactText(bundleID)] else { throw .unknown(bundleID) }
        return app
    }

    /// The app that a request means: the one it names, or the only one that the caller may use.
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
