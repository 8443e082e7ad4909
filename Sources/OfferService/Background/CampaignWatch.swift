import EligibilityRules
package import OfferStore
import ServiceLifecycle
import WireText

/// Counts each live or paused campaign in the background, so that lists of campaigns show stored figures, and records new
/// verdicts.
///
/// After a campaign has ended, it is still counted until all its exposed units have matured.
/// A campaign is counted again after ten minutes. After each count the watch rests nine times as long as the count took, so that
/// counting takes a tenth of one processor at most.
package struct CampaignWatch: Service {
    private static let pause: Int64 = 10 * 60_000
    private static let interval = Duration.seconds(30)
    private static let rests = 9

    private let results: CampaignResultsDesk
    private let store: any CampaignStore
    private let limits: any Ledger
    private let apps: AppDirectory
    private let lease: Lease?
    private let system: SystemEnvironment
    private let failures: FailureLog

    /// - Parameter turn: where this process gets a lease, and the name under which it holds one; nil if the store is in files,
    ///   because then only one process does this work.
    package init(
        results: CampaignResultsDesk,
        store: any CampaignStore,
        limits: any Ledger,
        apps: AppDirectory,
        turn: (leases: any LeaseStore, holder: String)? = nil,
        system: SystemEnvironment,
        failures: FailureLog
    ) {
        self.results = results
        self.store = store
        self.limits = limits
        self.apps = apps
        // The lease lasts longer than most counts. If a count takes longer, another process may count as well, but only one of
        // the two results is stored.
        lease = turn.map {
            Lease($0.leases, "campaign-figures", holder: $0.holder, milliseconds: 180_000, uptime: system.uptime)
        }
        self.system = system
        self.failures = failures
    }

    /// Counts what is due until the service stops.
    package func run() async throws {
        await system.rounds {
            await countOnce()
            return Self.interval
        }
        try? await lease?.release()
    }

    /// Counts all campaigns that are due, those first that were never counted or not for longest.
    func countOnce() async {
        do {
            guard try await lease?.hold() ?? true else { return }
            let live = try await store.live(bundleIDs: Set(apps.bundleIDs))
            let ended = try await store.ended(bundleIDs: Set(apps.bundleIDs))
            for app in apps.all {
                let counted = Dictionary(
                    uniqueKeysWithValues: try await store.counted(of: app.bundleID).map { ($0.id, $0) })
                let due = live.filter { $0.bundleID == app.bundleID && isDue($0, counted[$0.id]) }.map(\.id)
                let over = (ended[app.bundleID] ?? []).filter { isDueAfterEnd(counted[$0]) }
                for id in (due + over).sorted(by: { at(counted[$0]) < at(counted[$1]) }) {
                    guard try await lease?.hold() ?? true else { return }
                    let start = ContinuousClock.now
                    await count(id, app, counted[id])
                    try await system.sleep((ContinuousClock.now - start) * Self.rests)
                }
            }
        } catch  where Task.isCancelled {
            return
        } catch {
            report(error)
        }
    }

    private func at(_ counted: CountedCampaign?) -> Int64 { counted?.countedAt.milliseconds ?? .min }

    private func isDue(_ campaign: LiveCampaign, _ last: CountedCampaign?) -> Bool {
        guard let last, CampaignFigures(stored: last.figures)?.revision == campaign.number else { return true }
        return isOld(last)
    }

    private func isDueAfterEnd(_ last: CountedCampaign?) -> Bool {
        guard let last, let figures = CampaignFigures(stored: last.figures), isOld(last) else { return false }
        // If the last count has a pace, it was made before the campaign ended, so one more count is due.
        return figures.unitsPerDay != nil || figures.variants.contains { $0.matured < $0.exposed }
    }

    private func isOld(_ last: CountedCampaign) -> Bool {
        let age = system.now().milliseconds(since: last.countedAt)
        return age >= Self.pause || age < 0
    }

    /// Counts one campaign.
    ///
    /// An error is reported and not thrown, so that the other campaigns are counted nevertheless.
    private func count(_ id: String, _ app: App, _ last: CountedCampaign?) async {
        do {
            let report = try await results.report(of: id, app)
            let name = CampaignName(id, of: app.bundleID)
            var announced = last.flatMap { CampaignFigures(stored: $0.figures) }?.announced ?? CampaignAnnouncements()
            let events = announced.events(after: report, name)
            let figures = CampaignFigures(
                report, total: try await total(report.revisions.campaign, app), announced: announced)
            let counted = CountedCampaign(
                id: id, bundleID: app.bundleID, countedAt: report.asOf, figures: figures.stored.bytes)
            _ = try await store.write(counted, after: last?.countedAt, audit: events)
        } catch is CampaignError {
            // The campaign's text was written by a later release, or the campaign was withdrawn meanwhile.
        } catch {
            report(error)
        }
    }

    private func total(_ campaign: Campaign, _ app: App) async throws -> CampaignFigures.Total? {
        guard let max = campaign.limits?.total else { return nil }
        let used = try await CampaignLimiting(app, at: system.now()).used(by: campaign.id, in: limits)
        return CampaignFigures.Total(used: used, max: max)
    }

    private func report(_ error: any Error) {
        if !Task.isCancelled { failures.note("campaigns could not be counted", .of(error)) }
    }
}
