import HTTPTypes
import Hummingbird
package import OfferService

/// The overview of the service: what needs attention, and how the service is doing.
struct OverviewPage: Sendable {
    let route: ConsoleRoute
    let keys: KeyAdministration
    let replicas: ReplicaDesk
    let access: AccessDesk
    let campaigns: CampaignAdministration
    let health: ServiceHealth
    let names: CallerNames
    let apps: AppDirectory

    var routes: [OperationRoute] {
        [
            route.get("/", .console) { request, visitor in try await page(visitor, show: request.query(["show"])["show"]) }
        ]
    }

    /// - Parameter show: the kind of items about campaigns that is shown alone; nil for all of them.
    private func page(_ visitor: ConsoleVisitor, show: String?) async throws -> Response {
        let (time, caller) = (route.pages.time(for: visitor), visitor.caller)
        let statuses = caller.role.may(.keys) ? try await keys.list(for: caller) : []
        let checks = await ReadinessFinding.all(of: health.checks)
        // Failed checks are items only for readers who can mend the service. Others see further down whether the service is
        // ready.
        var attention = caller.role.may(.keys) ? checks.filter { !$0.isOK }.map(AttentionView.check) : []
        let replicas = caller.role.may(.replicas) ? (try? await replicas.comparisons()) ?? [] : []
        attention += replicas.flatMap(AttentionView.differences)
        if caller.role.may(.keys) { attention += try await attentionToKeys(caller, statuses, time) }
        if caller.role.may(.access) { attention += try await attentionToAccess(caller, time) }
        var count = attention.count
        if caller.role.may(.campaigns) {
            // If campaigns cannot be read, the rest of the page is shown without them.
            let campaigns = (try? await attentionToCampaigns(caller, time, show: show)) ?? (items: [], count: 0)
            count += campaigns.count
            // Readers who cannot mend the service see the campaigns that need attention first.
            attention = caller.role.may(.keys) ? attention + campaigns.items : campaigns.items + attention
        }
        // If the figures cannot be counted, the page shows none. Its checks say what is wrong.
        let figures = try? await health.tallies.figures()
        let view = OverviewView(
            checks: checks, attention: attention, count: count, figures: figures.map { self.figures($0, caller, time) },
            keys: statuses,
            replicas: replicas, for: caller, time: time)
        var response = route.pages.page(view, title: "Overview", at: .overview, for: visitor)
        if figures?.isWhole == false { response.headers[HTTPField.Name("Refresh")!] = "2" }
        return response
    }

    private func figures(_ figures: OfferFigures, _ caller: Caller, _ time: ConsoleTime) -> OverviewFigures {
        OverviewFigures(
            figures: figures, apps: apps.bundleIDs.filter(caller.mayUse).sorted(),
            additionalEnvironments: apps.additionalEnvironments.filter { caller.mayUse(app: $0.bundleID) }.map(\.partitionName),
            times: health.answerTimes(), time: time)
    }

    private func attentionToKeys(_ caller: Caller, _ statuses: [KeyDesk.KeyStatus], _ time: ConsoleTime) async throws
        -> [AttentionView]
    {
        let names = try await names.all()
        let proposals = try await keys.pending(for: caller).filter { $0.proposedBy != caller.id }
        let safe = Set(statuses.filter { $0.isSafeToRevoke(at: time.now) }.map(\.keyID)).sorted()
        return proposals.map { AttentionView.proposal($0, names: names) } + safe.map(AttentionView.safeToRevoke)
            + keys.warnings(statuses).map(AttentionView.warning)
    }

    private func attentionToCampaigns(
        _ caller: Caller, _ time: ConsoleTime, show: String?
    ) async throws -> (items: [AttentionView], count: Int) {
        let mine = try apps.bundleIDs.filter(caller.mayUse).map { try apps.app(named: $0, for: caller) }
        return try await CampaignAttention(campaigns: campaigns, caller: caller, time: time, names: names.all()).items(
            of: mine, show: show)
    }

    private func attentionToAccess(_ caller: Caller, _ time: ConsoleTime) async throws -> [AttentionView] {
        let expiring = try await access.list(for: caller).filter { AccessFilter.expiring.takes($0, at: time.now) }
        return expiring.isEmpty ? [] : [.expiring(expiring)]
    }
}

/// The checks and figures of the service that the overview shows.
package struct ServiceHealth: Sendable {
    let checks: [ReadinessCheck]
    let tallies: OfferTallies
    let answerTimes: @Sendable () -> AnswerTimes

    /// - Parameter answerTimes: how long requests for signatures have taken so far.
    package init(checks: [ReadinessCheck], tallies: OfferTallies, answerTimes: @escaping @Sendable () -> AnswerTimes) {
        self.checks = checks
        self.tallies = tallies
        self.answerTimes = answerTimes
    }
}
