import EligibilityRules
import HTTPTypes
import Hummingbird
import NIOCore
import OfferService
import ServiceLifecycle
import WireText

/// `/v1/admin/campaigns/{id}/results` and `…/assignments`: the results of a campaign, and the customers that they count.
struct CampaignResultsController: Sendable {
    private static let csv = "text/csv; charset=utf-8"

    let apps: AppDirectory
    let desk: CampaignResultsDesk

    var routes: [OperationRoute] {
        [
            OperationRoute(.getCampaignResults, respond: results),
            OperationRoute(.exportAssignments, respond: assignments),
        ]
    }

    private func results(_ request: OperationRequest) async throws -> Response {
        let (app, asOf) = try named(in: request)
        switch try await desk.results(of: request.parameter("id"), app, asOf: asOf) {
        case .counting(let progress):
            var response = JSONValue.members(["counting": CampaignResultsJSON.progress(progress)]).asResponse(.accepted)
            response.headers[.retryAfter] = "2"
            return response
        case .counted(let report, let progress):
            guard request.wantsCSV else {
                let rehearsals = try await desk.rehearsals(of: request.parameter("id"), app)
                return CampaignResultsJSON.report(report, rehearsals, progress).asResponse()
            }
            return Response(
                status: .ok, headers: [.contentType: Self.csv, .cacheControl: "no-store"],
                body: ResponseBody(byteBuffer: ByteBuffer(string: CampaignResultsCSV.text(report))))
        }
    }

    private func assignments(_ request: OperationRequest) async throws -> Response {
        let (app, asOf) = try named(in: request)
        let export = try await desk.assignments(of: request.parameter("id"), app, asOf: asOf)
        let wantsCSV = request.wantsCSV
        return Response(
            status: .ok,
            headers: [
                .contentType: wantsCSV ? Self.csv : "application/jsonl", .cacheControl: "no-store",
                .asOf: "\(export.asOf.milliseconds)",
            ],
            body: ResponseBody { writer in
                // This is safe, because the export writes one piece after the other, even if it runs on another thread.
                nonisolated(unsafe) var writer = writer
                if wantsCSV { try await writer.write(ByteBuffer(string: AssignmentText.heading)) }
                try await export.write { rows in
                    // A shutdown does not wait for the export. The answer then breaks off without its end mark, so that the
                    // client notices that it is incomplete.
                    if Task.isShuttingDownGracefully { throw CancellationError() }
                    try await writer.write(AssignmentText.bytes(of: rows, asCSV: wantsCSV))
                }
                try await writer.finish(nil)
            })
    }

    private func named(in request: OperationRequest) throws -> (App, asOf: Instant?) {
        let query = request.query
        var numbers = QueryNumbers(query)
        let asOf = numbers.number("asOf", in: 0...Int64.max).map { Instant(milliseconds: $0) }
        if let asOf, asOf > desk.now { numbers.refuse("asOf", "must not be in the future; leave it out to count until now") }
        try numbers.check()
        return (
            try apps.app(named: query["bundleId"], for: request.caller).app(in: query.environment).withPurchases(), asOf
        )
    }
}

extension HTTPField.Name {
    /// The instant that the answer describes, in ms since 1970.
    fileprivate static let asOf = HTTPField.Name("X-As-Of")!
}

extension OperationRequest {
    /// Whether the client asks for CSV rather than JSON.
    fileprivate var wantsCSV: Bool { headers[.accept]?.lowercased().contains("text/csv") ?? false }
}
