import EligibilityRules
import HTTPTypes
import Hummingbird
import OfferService
import WireText

/// `/v1/admin/campaigns`: lists campaigns, saves their drafts, and moves them from step to step, such as to review or to the end.
struct CampaignsController: Sendable {
    let campaigns: CampaignAdministration

    var routes: [OperationRoute] {
        [
            OperationRoute(.listCampaigns, respond: list),
            OperationRoute(.createCampaign, respond: create),
            OperationRoute(.getCampaign) { request in
                let app = try app(request.query["bundleId"], request)
                return try await answer(campaigns.campaign(request.parameter("id"), of: app))
            },
            OperationRoute(.saveCampaignDraft, respond: save),
            OperationRoute(.listCampaignRevisions, respond: revisions),
            OperationRoute(.listCampaignActivity, respond: activity),
            OperationRoute(.addCampaignNote, respond: note),
            OperationRoute(.compareCampaignRevisions, respond: diff),
            step(.submitCampaign) { _ in [.submit] },
            step(.discardCampaignDraft) { _ in [.discard] },
            step(.approveCampaign) {
                $0.optionalBool("publish") == true ? [.approve, .publish] : [.approve]
            },
            step(.rejectCampaign) { _ in [.reject] },
            step(.publishCampaign) { _ in [.publish] },
            step(.pauseCampaign) { _ in [.pause] },
            step(.resumeCampaign) { _ in [.resume] },
            step(.endCampaign) { _ in [.end] },
            step(.archiveCampaign) { _ in [.archive] },
            step(.unarchiveCampaign) { _ in [.unarchive] },
            OperationRoute(.rollBackCampaign, respond: rollBack),
        ]
    }

    private func list(_ request: OperationRequest) async throws -> Response {
        let query = request.query
        var numbers = QueryNumbers(query)
        let limit = ListPage.limit(&numbers)
        let state = query["state"].flatMap(CampaignState.init)
        if query["state"] != nil, state == nil {
            numbers.refuse("state", "must be one of \(CampaignState.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        try numbers.check()
        let app = try app(query["bundleId"], request)
        let found = try await campaigns.list(of: app, after: query["after"], limit: limit + 1)
        let figures = try await campaigns.figures(of: app)
        let shown = found.prefix(limit).filter { state == nil || $0.state == state }
        return JSONValue.members([
            "items": .array(shown.map { CampaignJSON.line($0, figures[$0.name.id]) }),
            "next": .text(found.count > limit ? found[limit - 1].name.id : nil),
        ]).asResponse()
    }

    private func create(_ request: OperationRequest) async throws -> Response {
        let text = try text(request)
        let app = try app(text.campaign!.bundleID, request)
        switch try await campaigns.create(text.campaign!.id, text, of: app, by: request.origin) {
        case .done(let campaign): return try await answer(campaign, .created)
        case .changedMeanwhile(let now):
            throw Problem.campaignExists(now.name)
        }
    }

    private func save(_ request: OperationRequest) async throws -> Response {
        var numbers = QueryNumbers(request.query)
        let basedOn = numbers.number("basedOn", in: 0...Int64(Int32.max)).map(Int.init)
        try numbers.check()
        let text = try text(request)
        guard text.campaign!.id == request.parameter("id") else {
            throw RequestFault.invalidFields([
                FieldFault(name: "id", reason: "must be the campaign's id, \(request.parameter("id")), which never changes")
            ])
        }
        let app = try app(text.campaign!.bundleID, request)
        let outcome = try await campaigns.save(
            text.campaign!.id, text, basedOn: basedOn, of: app, seen: request.seenVersion, by: request.origin)
        return try await answer(outcome)
    }

    private func step(
        _ operation: Operation,
        _ steps: @escaping @Sendable (ObjectReader) -> [CampaignStep]
    ) -> OperationRoute {
        OperationRoute(operation) { request in
            let (app, reason, steps) = try read(request, steps)
            return try await answer(
                campaigns.take(
                    steps, request.parameter("id"), of: app, seen: request.seenVersion, by: request.origin, reason: reason))
        }
    }

    private func rollBack(_ request: OperationRequest) async throws -> Response {
        let (app, reason, number) = try read(request) { reader in
            if reader.value("revision") == nil { reader.refuse("revision", "is missing; name the revision to publish again") }
            return reader.optionalInteger("revision", in: RequestBounds.revisions) ?? 0
        }
        return try await answer(
            campaigns.rollBack(
                request.parameter("id"), to: number, of: app, seen: request.seenVersion, by: request.origin, reason: reason))
    }

    private func revisions(_ request: OperationRequest) async throws -> Response {
        let query = request.query
        var numbers = QueryNumbers(query)
        let limit = ListPage.limit(&numbers)
        let before = numbers.number("after", in: 1...Int64(Int32.max)).map(Int.init)
        try numbers.check()
        let app = try app(query["bundleId"], request)
        let found = try await campaigns.revisions(of: request.parameter("id"), app, before: before, limit: limit + 1)
        return JSONValue.members([
            "items": .array(found.prefix(limit).map(CampaignJSON.revision)),
            "next": .text(found.count > limit ? "\(found[limit - 1].number)" : nil),
        ]).asResponse()
    }

    private func activity(_ request: OperationRequest) async throws -> Response {
        let query = request.query
        var numbers = QueryNumbers(query)
        let limit = ListPage.limit(&numbers)
        let before = numbers.number("after", in: 1...Int64.max)
        try numbers.check()
        let app = try app(query["bundleId"], request)
        let found = try await campaigns.activity(of: request.parameter("id"), app, before: before, limit: limit + 1)
        return JSONValue.members([
            "items": .array(found.prefix(limit).map(CampaignJSON.activity)),
            "next": .text(found.count > limit ? "\(found[limit - 1].number)" : nil),
        ]).asResponse()
    }

    // The caller need not name a version, because a note cannot conflict with another user's change.
    private func note(_ request: OperationRequest) async throws -> Response {
        let (app, reason, _) = try read(request, isReasonRequired: true) { _ in }
        return try await answer(campaigns.note(reason, on: request.parameter("id"), of: app, by: request.origin))
    }

    private func diff(_ request: OperationRequest) async throws -> Response {
        let query = request.query
        let app = try app(query["bundleId"], request)
        let campaign = try await campaigns.campaign(request.parameter("id"), of: app)
        let comparison = try await CampaignComparison(campaign, from: query["from"], to: query["to"]) { number in
            try await campaigns.revision(number, of: request.parameter("id"), app)
        }
        return comparison.json.asResponse()
    }

    private func app(_ bundleID: String?, _ request: OperationRequest) throws -> App {
        try campaigns.apps.app(named: bundleID, for: request.caller)
    }

    /// Reads a body as a campaign. Throws if that is not possible.
    ///
    /// A campaign that can be read may still break rules. The campaign's findings say which.
    private func text(_ request: OperationRequest) throws -> CampaignText {
        let text: CampaignText
        do { text = CampaignText(json: try JSONValue(parsing: request.body)) } catch { throw RequestFault.malformed(error) }
        guard text.campaign != nil else { throw RequestFault.invalidFields(text.faults) }
        return text
    }

    /// Reads `{bundleId?, reason?, …}`.
    private func read<Value>(
        _ request: OperationRequest,
        isReasonRequired: Bool = false,
        _ more: (ObjectReader) -> Value
    ) throws -> (App, String, Value) {
        let (bundleID, reason, value) = try request.read { reader in
            (reader.optionalText("bundleId"), reader.text(within: .reason, isRequired: isReasonRequired), more(reader))
        }
        return (try app(bundleID, request), reason, value)
    }

    private func answer(_ outcome: CampaignAdministration.Outcome) async throws -> Response {
        switch outcome {
        case .done(let campaign): return try await answer(campaign)
        case .changedMeanwhile(let now): throw Problem.changedMeanwhile(now.lastChangeText)
        }
    }

    private func answer(_ campaign: ManagedCampaign, _ status: HTTPResponse.Status = .ok) async throws -> Response {
        CampaignJSON.campaign(campaign, try await campaigns.findings(campaign)).asResponse(status, tag: campaign.tag)
    }
}

extension ManagedCampaign {
    /// The campaign's version, as `ETag` and `If-Match` write it.
    var tag: String { "\"\(version)\"" }

    /// A text that says who has changed the campaign last, and what the caller can do now.
    var lastChangeText: String {
        let (words, act) = lastChange
        return
            "\(act.by) \(words) at \(act.at.iso8601); your change was not made; look at the campaign as it is now and "
            + "send the request again with If-Match: \(tag)"
    }
}

extension OperationRequest {
    /// The version in `If-Match`; nil if the caller accepts any version (`*`).
    ///
    /// Throws if the header is missing.
    var seenVersion: Int64? {
        get throws {
            guard let text = headers[.ifMatch] else { throw Problem.versionMissing }
            if text == "*" { return nil }
            let bare = text.hasPrefix("\"") && text.hasSuffix("\"") && text.count > 2 ? text.dropFirst().dropLast() : ""
            // -1 matches no version of the campaign.
            return Int64(bare) ?? -1
        }
    }
}
