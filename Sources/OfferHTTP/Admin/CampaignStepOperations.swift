import OfferService
import WireText

extension Operation {
    /// Returns the declaration of an operation that takes a campaign a step further, for example by publishing it.
    ///
    /// In the header `If-Match`, a request names the version of the campaign that its caller has seen. The answer is the campaign
    /// as it is after the step.
    ///
    /// - Parameters:
    ///   - id: the id of the operation.
    ///   - path: the last part of the operation's path, after the campaign's id.
    ///   - permission: the permission that the caller needs.
    ///   - summary: what the operation does, in a few words.
    ///   - text: more sentences about the operation.
    ///   - schema: the form of the body.
    ///   - findsFaults: whether the operation checks the campaign first, and answers 422 if it has faults.
    private static func step(
        _ id: String,
        _ path: String,
        _ permission: Permission,
        _ summary: String,
        _ text: String,
        _ schema: NamedSchema = .campaignStepRequest,
        findsFaults: Bool = false
    ) -> Operation {
        var problems = [
            404: "UnknownCampaign", 409: "CampaignConflict", 412: "ChangedMeanwhile", 413: "BodyTooLarge",
            428: "PreconditionRequired",
        ]
        if findsFaults { problems[422] = "InvalidCampaign" }
        return Operation(
            id: id, method: .post, path: "/v1/admin/campaigns/{id}/\(path)", access: .needs(permission),
            about: About(
                tag: "campaigns", summary: summary, text: text, parameters: ["campaignId", "If-Match"], body: Body(schema),
                successes: [Success("Done.", "ManagedCampaign", headers: ["ETag"])], problems: problems))
    }

    static let submitCampaign = step(
        "submitCampaign", "submit", .campaignDrafts, "Send the draft to review",
        "The draft must have no faults. Others with the role `approver` or `admin` approve or reject it.",
        findsFaults: true)

    static let discardCampaignDraft = step(
        "discardCampaignDraft", "discard", .campaignDrafts, "Discard the draft",
        "What is published stays.")

    static let approveCampaign = step(
        "approveCampaign", "approve", .campaignApprovals, "Approve the draft",
        """
        An author cannot approve it, nor a person whose access key an author made, or who made an author's access key. \
        With `publish` it counts at once.
        """,
        .campaignApproval, findsFaults: true)

    static let rejectCampaign = step(
        "rejectCampaign", "reject", .campaignApprovals, "Reject the draft",
        """
        Say why in `reason`; its authors can change it. An approved draft can be rejected as well, until it is \
        published.
        """)

    static let publishCampaign = step(
        "publishCampaign", "publish", .campaignRuns, "Publish the approved draft",
        """
        It becomes the next revision, and counts within its schedule, in every process within a second. A paused \
        campaign stays paused.
        """,
        findsFaults: true)

    static let pauseCampaign = step(
        "pauseCampaign", "pause", .campaignRuns, "Pause the campaign",
        """
        Customers get it no more within a second, in every process, until it is resumed. A draft that another person \
        saves meanwhile does not prevent this.
        """)

    static let resumeCampaign = step(
        "resumeCampaign", "resume", .campaignRuns, "Resume a paused campaign",
        "As it was published.")

    static let endCampaign = step(
        "endCampaign", "end", .campaignRuns, "End the campaign",
        "Customers get it no more, and it cannot be changed again.")

    static let archiveCampaign = step(
        "archiveCampaign", "archive", .campaignRuns, "Archive the campaign",
        "It has ended; the console's list leaves it out from then on.")

    static let unarchiveCampaign = step(
        "unarchiveCampaign", "unarchive", .campaignRuns, "Take the campaign out of the archive",
        "The console's list shows it among the ended ones again.")

    static let addCampaignNote = Operation(
        id: "addCampaignNote", method: .post, path: "/v1/admin/campaigns/{id}/notes", access: .needs(.campaignRuns),
        about: About(
            tag: "campaigns",
            summary: "Add a note",
            text: "It stays in the activity, and changes nothing else.",
            parameters: ["campaignId"],
            body: Body(.campaignNote),
            successes: [
                Success("Done.", "ManagedCampaign", headers: ["ETag"])
            ],
            problems: [404: "UnknownCampaign", 409: "CampaignConflict", 412: "ChangedMeanwhile", 413: "BodyTooLarge"]))

    static let rollBackCampaign = step(
        "rollBackCampaign", "rollback", .campaignApprovals, "Roll back to an earlier revision",
        """
        Publishes a copy of it as the next revision. The caller approves it by this, so must not be one of its authors \
        (409 `second-person-needed`). What a publication may not change once the campaign has begun, a roll-back may not \
        change either (422 `invalid-campaign`). A draft stays.
        """,
        .campaignRollback, findsFaults: true)
}

extension NamedSchema {
    static let campaignStepRequest = NamedSchema(
        "CampaignStepRequest",
        "The app of the campaign, and the reason.",
        [
            .bundleID,
            .reason,
        ])

    static let campaignNote = NamedSchema(
        "CampaignNote",
        "A note on a campaign.",
        [
            .bundleID,
            Field(
                "reason", .text(within: .reason, from: 1, matching: #"\S"#), "The note.",
                example: "Three months were too generous."),
        ])

    static let campaignApproval = NamedSchema(
        "CampaignApproval",
        "The app of the campaign, the reason, and whether to publish at once.",
        [
            .bundleID,
            .reason,
            Field(optional: "publish", .flag.orNull, "Whether it is published at once; left out: no.", example: true),
        ])

    static let campaignRollback = NamedSchema(
        "CampaignRollback",
        "Which revision counts again.",
        [
            .bundleID,
            .reason,
            Field("revision", .integer(RequestBounds.revisions), "The earlier revision.", example: 1),
        ])
}
