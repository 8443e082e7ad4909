package import OfferStore
import Synchronization

/// The campaigns of every app that are in force, in memory and kept up to date with the store.
///
/// All environments of an app have the same campaigns.
package final class LiveCampaigns: ChangeFollower {
    private struct State {
        var apps: [String: AppCampaigns] = [:]
        var revision: Int64 = -1
        /// The `AppDirectory.generation` of the catalogues with which the campaigns were compiled.
        var generation = 0
    }

    private let store: any CampaignStore
    private let apps: AppDirectory
    private let failures: FailureLog
    private let holds = HoldMemory()
    private let state = Mutex(State())

    package let topic = ChangeTopic.campaigns
    package let complaint = "campaigns cannot be read again"

    /// There are no campaigns before the first `follow`.
    ///
    /// - Parameter failures: receives a failure for each campaign that is left out.
    package init(store: any CampaignStore, apps: AppDirectory, failures: FailureLog) {
        self.store = store
        self.apps = apps
        self.failures = failures
    }

    /// The campaigns of an app that are in force now.
    package func campaigns(of app: App) -> AppCampaigns { state.withLock { $0.apps[app.bundleID] } ?? .none }

    /// The campaigns of all apps that are in force now, by bundle id.
    package var all: [String: AppCampaigns] { state.withLock(\.apps) }

    /// Reads and compiles the campaigns again, unless this revision was already compiled with the present catalogues.
    package func follow(_ revision: Int64) async throws(StoreError) {
        let generation = apps.generation
        guard state.withLock({ ($0.revision, $0.generation) != (revision, generation) }) else { return }
        let live = Dictionary(grouping: try await store.live(bundleIDs: Set(apps.bundleIDs)), by: \.bundleID)
        let rehearsed = Dictionary(grouping: try await store.rehearsed(bundleIDs: Set(apps.bundleIDs)), by: \.bundleID)
        let ended = try await store.ended(bundleIDs: Set(apps.bundleIDs))
        let apps = Dictionary(
            uniqueKeysWithValues: apps.all.map { [holds] app in
                let campaigns = AppCampaigns(
                    live[app.bundleID] ?? [], rehearsed[app.bundleID] ?? [], ended: ended[app.bundleID] ?? [], holds: holds,
                    bundleID: app.bundleID, catalogue: app.catalogue)
                return (app.bundleID, campaigns)
            })
        let before = state.withLock { state in
            guard (revision, generation) > (state.revision, state.generation) else { return nil as [String: AppCampaigns]? }
            defer { state = State(apps: apps, revision: revision, generation: generation) }
            return state.apps
        }
        if let before { reportFaults(in: apps, before) }
    }

    /// Reports only faults that were not reported before.
    private func reportFaults(in apps: [String: AppCampaigns], _ before: [String: AppCampaigns]) {
        for (bundleID, campaigns) in apps {
            let known = before[bundleID]?.faults ?? []
            for fault in campaigns.faults where !known.contains(fault) {
                failures.note(
                    "the campaign \(fault.id) does not count", Failure(.service, "campaign-left-out", fault.reason), app: bundleID
                )
            }
        }
    }
}
