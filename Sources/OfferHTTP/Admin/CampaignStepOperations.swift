import OfferService
import WireText

extension Operation {
    static let submitCampaign = Operation(
        id: "submitCampaign", method: .post, path: "/v1/admin/campaigns/{id}/submit", access: .needs(.campaignDrafts),
        about: About(
            tag: "campaigns",
            summary: "Send the draft to review",
            text: "The draft must have no faults. Others with the role `approver` or `admin` approve or reject it.",
            parameters: ["campaignId", "If-Match"],
            body: Body(.campaignStepRequest),
            successes: [
                Success("Done.", "ManagedCampaign", headers: ["ETag"])
            ],
            problems: [
                404: "UnknownCampaign", 409: "CampaignConflict", 412: "ChangedMeanwhile", 413: "BodyTooLarge",
                422: "InvalidCampaign", 428: "PreconditionRequired",
            ]))

    static let discardCampaignDraft = Operation(
        id: "discardCampaignDraft", method: .post, path: "/v1/admin/campaigns/{id}/discard", access: .needs(.campaignDrafts),
        about: About(
            tag: "campaigns",
            summary: "Discard the draft",
            text: "What is published stays.",
            parameters: ["campaignId", "If-Match"],
            body: Body(.campaignStepRequest),
            successes: [
                Success("Done.", "ManagedCampaign", headers: ["ETag"])
            ],
            problems: [
                404: "UnknownCampaign", 409: "CampaignConflict", 412: "ChangedMeanwhile", 413: "BodyTooLarge",
                428: "PreconditionRequired",
            ]))

    static let approveCampaign = Operation(
        id: "approveCampaign", method: .post, path: "/v1/admin/campaigns/{id}/approve", access: .needs(.campaignApprovals),
        about: About(
            tag: "campaigns",
            summary: "Approve the draft",
            text: """
                An author cannot approve it, nor a person whose access key an author made, or who made an author's access key. \
                With `publish` it counts at once.
                """,
            parameters: ["campaignId", "If-Match"],
            body: Body(.campaignApproval),
            successes: [
                Success("Done.", "ManagedCampaign", headers: ["ETag"])
            ],
            problems: [
                404: "UnknownCampaign", 409: "CampaignConflict", 412: "ChangedMeanwhile", 413: "BodyTooLarge",
                422: "InvalidCampaign", 428: "PreconditionRequired",
            ]))

    static let rejectCampaign = Operation(
        id: "rejectCampaign", method: .post, path: "/v1/admin/campaigns/{id}/reject", access: .needs(.campaignApprovals),
        about: About(
            tag: "campaigns",
            summary: "Reject the draft",
            text: """
                Say why in `reason`; its authors can change it. An approved draft can be rejected as well, until it is \
                published.
                """,
            parameters: ["campaignId", "If-Match"],
            body: Body(.campaignStepRequest),
            successes: [
                Success("Done.", "ManagedCampaign", headers: ["ETag"])
            ],
            problems: [
                404: "UnknownCampaign", 409: "CampaignConflict", 412: "ChangedMeanwhile", 413: "BodyTooLarge",
                428: "PreconditionRequired",
            ]))

    static let publishCampaign = Operation(
        id: "publishCampaign", method: .post, path: "/v1/admin/campaigns/{id}/publish", access: .needs(.campaignRuns),
        about: About(
            tag: "campaigns",
            summary: "Publish the approved draft",
            text: """
                It becomes the next revision, and counts within its schedule, in every process within a second. A paused \
                campaign stays paused.
                """,
            parameters: ["campaignId", "If-Match"],
            body: Body(.campaignStepRequest),
            successes: [
                Success("Done.", "ManagedCampaign", headers: ["ETag"])
            ],
            problems: [
                404: "UnknownCampaign", 409: "CampaignConflict", 412: "ChangedMeanwhile", 413: "BodyTooLarge",
                422: "InvalidCampaign", 428: "PreconditionRequired",
            ]))

    static let pauseCampaign = Operation(
        id: "pauseCampaign", method: .post, path: "/v1/admin/campaigns/{id}/pause", access: .needs(.campaignRuns),
        about: About(
            tag: "campaigns",
            summary: "Pause the campaign",
            text: """
                Customers get it no more within a second, in every process, until it is resumed. A draft that another person \
                saves meanwhile does not prevent this.
                """,
            parameters: ["campaignId", "If-Match"],
            body: Body(.campaignStepRequest),
            successes: [
                Success("Done.", "ManagedCampaign", headers: ["ETag"])
            ],
            problems: [
                404: "UnknownCampaign", 409: "CampaignConflict", 412: "ChangedMeanwhile", 413: "BodyTooLarge",
                428: "PreconditionRequired",
            ]))

    static let resumeCampaign = Operation(
        id: "resumeCampaign", method: .post, path: "/v1/admin/campaigns/{id}/resume", access: .needs(.campaignRuns),
        about: About(
            tag: "campaigns",
            summary: "Resume a paused campaign",
            text: "As it was published.",
            parameters: ["campaignId", "If-Match"],
            body: Body(.campaignStepRequest),
            successes: [
                Success("Done.", "ManagedCampaign", headers: ["ETag"])
            ],
            problems: [
                404: "UnknownCampaign", 409: "CampaignConflict", 412: "ChangedMeanwhile", 413: "BodyTooLarge",
                428: "PreconditionRequired",
            ]))

    static let endCampaign = Operation(
        id: "endCampaign", method: .post, path: "/v1/admin/campaigns/{id}/end", access: .needs(.campaignRuns),
        about: About(
            tag: "campaigns",
            summary: "End the campaign",
            text: "Customers get it no more, and it cannot be changed again.",
            parameters: ["campaignId", "If-Match"],
            body: Body(.campaignStepRequest),
            successes: [
                Success("Done.", "ManagedCampaign", headers: ["ETag"])
            ],
            problems: [
                404: "UnknownCampaign", 409: "CampaignConflict", 412: "ChangedMeanwhile", 413: "BodyTooLarge",
                428: "PreconditionRequired",
            ]))

    static let archiveCampaign = Operation(
        id: "archiveCampaign", method: .post, path: "/v1/admin/campaigns/{id}/archive", access: .needs(.campaignRuns),
        about: About(
            tag: "campaigns",
            summary: "Archive the campaign",
            text: "It has ended; the console's list leaves it out from then on.",
            parameters: ["campaignId", "If-Match"],
            body: Body(.campaignStepRequest),
            successes: [
                Success("Done.", "ManagedCampaign", headers: ["ETag"])
            ],
            problems: [
                404: "UnknownCampaign", 409: "CampaignConflict", 412: "ChangedMeanwhile", 413: "BodyTooLarge",
                428: "PreconditionRequired",
            ]))

    static let unarchiveCampaign = Operation(
        id: "unarchiveCampaign", method: .post, path: "/v1/admin/campaigns/{id}/unarchive", access: .needs(.campaignRuns),
        about: About(
            tag: "campaigns",
            summary: "Take the campaign out of the archive",
            text: "The console's list shows it among the ended ones again.",
            parameters: ["campaignId", "If-Match"],
            body: Body(.campaignStepRequest),
            successes: [
                Success("Done.", "ManagedCampaign", headers: ["ETag"])
            ],
            problems: [
                404: "UnknownCampaign", 409: "CampaignConflict", 412: "ChangedMeanwhile", 413: "BodyTooLarge",
                428: "PreconditionRequired",
            ]))

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

    static let rollBackCampaign = Operation(
        id: "rollBackCampaign", method: .post, path: "/v1/admin/campaigns/{id}/rollback", access: .needs(.campaignApprovals),
        about: About(
            tag: "campaigns",
            summary: "Roll back to an earlier revision",
            text: """
                Publishes a copy of it as the next revision. The caller approves it by this, so must not be one of its authors \
                (409 `second-person-needed`). What a publication may not change once the campaign has begun, a roll-back may not \
                change either (422 `invalid-campaign`). A draft stays.
                """,
            parameters: ["campaignId", "If-Match"],
            body: Body(.campaignRollback),
            successes: [
                Success("Done.", "ManagedCampaign", headers: ["ETag"])
            ],
            problems: [
                404: "UnknownCampaign", 409: "CampaignConflict", 412: "ChangedMeanwhile", 413: "BodyTooLarge",
                422: "InvalidCampaign", 428: "PreconditionRequired",
            ]))
}

extension NamedSchema {
    static let campaignStepRequest = NamedSchema(
        "CampaignStepRequest",
        "The app of the campaign, and the reason.",
        [
            Field(
                optional: "bundleId", .name.orNull,
                "The app. May be left out where you may see one only.",
                example: "com.example.app"),
            Field(optional: "reason", .text(within: .reason).orNull, "Why, in your words; it is kept.", example: "looks right"),
        ])

    static let campaignNote = NamedSchema(
        "CampaignNote",
        "A note on a campaign.",
        [
            Field(
                optional: "bundleId", .name.orNull,
                "The app. May be left out where you may see one only.",
                example: "com.example.app"),
            Field(
                "reason", .text(within: .reason, from: 1, matching: #"\S"#), "The note.",
                example: "Three months were too generous."),
        ])

    static let campaignApproval = NamedSchema(
        "CampaignApproval",
        "The app of the campaign, the reason, and whether to publish at once.",
        [
            Field(
                optional: "bundleId", .name.orNull,
                "The app. May be left out where you may see one only.",
                example: "com.example.app"),
            Field(optional: "reason", .text(within: .reason).orNull, "Why, in your words; it is kept.", example: "looks right"),
            Field(optional: "publish", .flag.orNull, "Whether it is published at once; left out: no.", example: true),
        ])

    static let campaignRollback = NamedSchema(
        "CampaignRollback",
        "Which revision counts again.",
        [
            Field(
                optional: "bundleId", .name.orNull,
                "The app. May be left out where you may see one only.",
                example: "com.example.app"),
            Field(optional: "reason", .text(within: .reason).orNull, "Why, in your words; it is kept.", example: "looks right"),
            Field("revision", .integer(RequestBounds.revisions), "The earlier revision.", example: 1),
        ])
}
