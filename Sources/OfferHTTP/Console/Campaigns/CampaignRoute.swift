import FoundationEssentials
import Hummingbird
import NIOHTTP1
import OfferService

/// Creates the routes of the pages about an app's campaigns, and finds what each of them needs.
struct CampaignRoute: Sendable {
    /// The maximum size of a form, in bytes.
    ///
    /// The size is large, because an audience may have many conditions.
    private static let maxForm = 1_048_576

    let route: ConsoleRoute
    let campaigns: CampaignAdministration
    let names: CallerNames

    /// Returns the route of a page.
    ///
    /// - Parameter path: the path after `/apps/{bundleId}`.
    func get(
        _ path: String,
        _ permission: Permission = .campaigns,
        _ respond: @escaping @Sendable (OperationRequest, CampaignVisit) async throws -> Response
    ) -> OperationRoute {
        route.get("/apps/{bundleId}" + path, permission) { request, visitor in
            try await respond(request, visit(request, visitor))
        }
    }

    /// Returns the route of a submitted form.
    func post(
        _ path: String,
        _ permission: Permission,
        keepsForm: Bool = false,
        _ respond: @escaping @Sendable (OperationRequest, CampaignVisit, FormBody) async throws -> Response
    ) -> OperationRoute {
        route.post("/apps/{bundleId}" + path, permission, maxBodySize: Self.maxForm, keepsForm: keepsForm) {
            request, visitor, form in
            try await respond(request, visit(request, visitor), form)
        }
    }

    /// Returns the campaign in the path.
    func campaign(_ request: OperationRequest, _ visit: CampaignVisit) async throws -> ManagedCampaign {
        try await campaigns.campaign(request.parameter("id"), of: visit.app)
    }

    /// Returns in words the people who have a permission: `approver-1 or admin`.
    func people(_ permission: Permission, _ visit: CampaignVisit) async throws -> String {
        Self.words(try await campaigns.accessKeys(with: permission, in: visit.app))
    }

    /// Returns the names of the holders of access keys as a list in words.
    static func words(_ people: [AccessKey]) -> String {
        let names = Set(people.map { $0.note.isEmpty ? "osk_\($0.id)" : $0.note }).sorted()
        guard let last = names.last else { return "none yet" }
        return names.count == 1 ? last : "\(names.dropLast().joined(separator: ", ")) or \(last)"
    }

    private func visit(_ request: OperationRequest, _ visitor: ConsoleVisitor) async throws -> CampaignVisit {
        CampaignVisit(
            app: try campaigns.apps.app(named: request.parameter("bundleId"), for: visitor.caller), visitor: visitor,
            time: route.pages.time(for: visitor), zone: TimeZone(iana: visitor.caller.timeZone) ?? .gmt,
            names: try await names.all())
    }
}

extension FormBody {
    /// The version of the campaign or segment from which the form was made; nil if the form names none.
    var seen: Int64? { Int64(self["seen"]) }
}
