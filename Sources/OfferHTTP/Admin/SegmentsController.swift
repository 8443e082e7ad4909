import EligibilityRules
import HTTPTypes
import Hummingbird
import OfferService
import WireText

/// `/v1/admin/segments`: the segments that an app's campaigns share.
struct SegmentsController: Sendable {
    let campaigns: CampaignAdministration

    var routes: [OperationRoute] {
        [
            OperationRoute(.listSegments) { request in
                let app = try app(request)
                let segments = try await campaigns.segments.list(of: app.bundleID)
                return JSONValue.members(["items": .array(segments.map(Self.json))]).asResponse()
            },
            OperationRoute(.getSegment) { request in
                let app = try app(request)
                return try await answer(campaigns.segments.segment(request.parameter("id"), of: app), app)
            },
            OperationRoute(.setSegment, respond: save),
            OperationRoute(.removeSegment) { request in
                let app = try app(request)
                let outcome = try await campaigns.removeSegment(
                    request.parameter("id"), of: app, seen: request.seenVersion, by: request.origin)
                return try Self.json(Self.done(outcome, request)).asResponse()
            },
        ]
    }

    private func save(_ request: OperationRequest) async throws -> Response {
        let app = try app(request)
        let segment: Segment
        do {
            let json = try JSONValue(parsing: request.body)
            segment = try Segment(json: json.setting("id", json.member("id") ?? .string(request.parameter("id"))))
        } catch let error as JSONParser.Fault {
            throw RequestFault.malformed(error)
        } catch let error as CampaignFaults {
            throw RequestFault.invalidFields(error.faults)
        }
        guard ExactText(segment.id) == ExactText(request.parameter("id")) else {
            throw RequestFault.invalidFields([
                FieldFault(name: "id", reason: "must be the segment's id, \(request.parameter("id")), which never changes")
            ])
        }
        let outcome = try await campaigns.segments.save(segment, of: app, seen: request.seenVersion, by: request.origin)
        return try await answer(Self.done(outcome, request), app)
    }

    private func app(_ request: OperationRequest) throws -> App {
        try campaigns.apps.app(named: request.query["bundleId"], for: request.caller)
    }

    private static func done(_ outcome: SegmentDesk.Outcome, _ request: OperationRequest) throws -> ManagedSegment {
        switch outcome {
        case .done(let segment): return segment
        case .changedMeanwhile(let now?):
            throw Problem.changedMeanwhile(
                "\(now.changed.by) changed the segment at \(now.changed.at.iso8601); your change was not made; look at it as it is "
                    + "now and send the request again with If-Match: \"\(now.version)\"")
        case .changedMeanwhile(nil):
            throw Problem.changedMeanwhile(
                "there is no segment \(request.parameter("id")); send the request again with If-Match: * to make it")
        }
    }

    private func answer(_ segment: ManagedSegment, _ app: App) async throws -> Response {
        let uses = try await campaigns.uses(of: segment.segment.id, app).map { use -> JSONValue in
            .members([
                "campaign": .string(use.campaign.name.id), "in": .string(use.isDraft ? "draft" : "published"),
                "version": use.copy.version.map { .integer($0) } ?? .null, "current": .bool(use.isCurrent(segment.segment)),
            ])
        }
        return Self.json(segment).setting("uses", .array(uses)).asResponse(tag: "\"\(segment.version)\"")
    }

    private static func json(_ segment: ManagedSegment) -> JSONValue {
        .members([
            "id": .string(segment.segment.id), "name": .string(segment.segment.name),
            "condition": segment.segment.json.member("condition"), "version": .number("\(segment.version)"),
            "text": .string(ConditionText.words(segment.segment.condition)),
            "changedAt": .instant(segment.changed.at), "changedBy": .string(segment.changed.by),
        ])
    }
}
