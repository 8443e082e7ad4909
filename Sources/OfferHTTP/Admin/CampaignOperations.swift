import OfferService
import WireText

extension Operation {
    static let listCampaigns = Operation(
        id: "listCampaigns", method: .get, path: "/v1/admin/campaigns", access: .needs(.campaigns),
        about: About(
            tag: "campaigns",
            summary: "List the campaigns of an app",
            text: """
                In the order of their ids. The list leaves out the YAML of the campaigns. A page of a filtered list may be short, or \
                empty, with more behind it.
                """,
            parameters: ["bundleIdInQuery", "campaignState", "limit", "campaignsAfter"],
            successes: [
                Success("The campaigns.", "Campaigns")
            ],
            problems: [404: "UnknownApp"]))

    static let createCampaign = Operation(
        id: "createCampaign", method: .post, path: "/v1/admin/campaigns", access: .needs(.campaignDrafts),
        about: About(
            tag: "campaigns",
            summary: "Make a campaign",
            text: "Keeps its first draft, which may have faults in what it says: they are in the answer's `findings`.",
            body: Body(.campaign, size: CampaignDesk.maxBytes, text: "The whole campaign. An unknown field is an error."),
            successes: [
                Success("The campaign with its draft.", "ManagedCampaign", status: 201, headers: ["ETag"])
            ],
            problems: [404: "UnknownApp", 409: "CampaignExists", 413: "BodyTooLarge"]))

    static let getCampaign = Operation(
        id: "getCampaign", method: .get, path: "/v1/admin/campaigns/{id}", access: .needs(.campaigns),
        about: About(
            tag: "campaigns",
            summary: "Show a campaign",
            text: "With its draft, its published revision, and the findings about the draft.",
            parameters: ["campaignId", "bundleIdInQuery"],
            successes: [
                Success("The campaign.", "ManagedCampaign", headers: ["ETag"])
            ],
            problems: [404: "UnknownCampaign"]))

    static let saveCampaignDraft = Operation(
        id: "saveCampaignDraft", method: .put, path: "/v1/admin/campaigns/{id}", access: .needs(.campaignDrafts),
        about: About(
            tag: "campaigns",
            summary: "Keep a draft",
            text: "Replaces the draft; the published revision stays. A draft that was in review no longer is.",
            parameters: ["campaignId", "basedOn", "If-Match"],
            body: Body(.campaign, size: CampaignDesk.maxBytes, text: "The whole campaign. An unknown field is an error."),
            successes: [
                Success("The campaign with its draft.", "ManagedCampaign", headers: ["ETag"])
            ],
            problems: [
                404: "UnknownCampaign", 409: "CampaignConflict", 412: "ChangedMeanwhile", 413: "BodyTooLarge",
                428: "PreconditionRequired",
            ]))

    static let listCampaignRevisions = Operation(
        id: "listCampaignRevisions", method: .get, path: "/v1/admin/campaigns/{id}/revisions", access: .needs(.campaigns),
        about: About(
            tag: "campaigns",
            summary: "List what was published",
            text: "The latest first.",
            parameters: ["campaignId", "bundleIdInQuery", "limit", "revisionsAfter"],
            successes: [
                Success("The revisions.", "CampaignRevisions")
            ],
            problems: [404: "UnknownCampaign"]))

    static let listCampaignActivity = Operation(
        id: "listCampaignActivity", method: .get, path: "/v1/admin/campaigns/{id}/activity", access: .needs(.campaigns),
        about: About(
            tag: "campaigns",
            summary: "List what was done and noted",
            text: "The latest first.",
            parameters: ["campaignId", "bundleIdInQuery", "limit", "revisionsAfter"],
            successes: [
                Success("The activity.", "CampaignActivities")
            ],
            problems: [404: "UnknownCampaign"]))

    static let compareCampaignRevisions = Operation(
        id: "compareCampaignRevisions", method: .get, path: "/v1/admin/campaigns/{id}/diff", access: .needs(.campaigns),
        about: About(
            tag: "campaigns",
            summary: "Compare two versions in words",
            text: "One line for each field that differs.",
            parameters: ["campaignId", "bundleIdInQuery", "fromRevision", "toRevision"],
            successes: [
                Success("What differs.", "CampaignDiff")
            ],
            problems: [404: "UnknownCampaign", 409: "CampaignConflict"]))
}

extension NamedSchema {
    static let campaignLine = NamedSchema(
        "CampaignLine",
        "A campaign in a list.",
        [
            Field("id", .text, "Unique in the app.", example: "spring-winback"),
            Field("bundleId", .text, "The app.", example: "com.example.app"),
            Field("name", .text.orNull, "For people; null where the text cannot be read.", example: "Win back in spring"),
            Field("state", .known("draft", "in-review", "scheduled", "live", "paused", "ended"), "Where it is.", example: "live"),
            Field("version", .integer, "Another one with every change; `ETag` says the same.", example: 7),
            Field(
                "revision", .integer.orNull,
                "The number of the latest published revision; null: nothing was published.",
                example: 2),
            Field("archived", .flag, "Whether the console's list leaves it out.", example: false),
            Field(
                "draftState", .known("writing", "in-review", "approved", "rejected").orNull,
                "How far the draft has come; null: there is none.",
                example: "writing"),
            Field("changedAt", .integer, "When anything was done last. Milliseconds since 1970.", example: 1_772_355_600_000),
            Field("changedBy", .text, "The actor: an access key's id, or `command-line`.", example: "0123456789abcdef"),
            Field("createdAt", .integer, "When it was made. Milliseconds since 1970.", example: 1_772_355_600_000),
            Field("createdBy", .text, "The actor: an access key's id, or `command-line`.", example: "0123456789abcdef"),
            Field(optional: "figures", .named("CampaignFigures")),
        ])

    static let campaignFigures = NamedSchema(
        "CampaignFigures",
        """
        How a campaign is doing, as counted last in the background. Absent: it was not counted yet. `GET \
        /v1/admin/campaigns/{id}/results` counts anew.
        """,
        [
            Field("asOf", .integer, "When it was counted, in ms since 1970.", example: 1_795_312_800_000),
            Field("revision", .integer, "The number of its latest revision then.", example: 2),
            Field("exposed", .integer, "Units exposed to any variant.", example: 6263),
            Field(
                "variants",
                .list(
                    .object([
                        Field("id", .text, "The variant.", example: "half"),
                        Field("exposed", .integer, "Units exposed.", example: 3100),
                        Field("matured", .integer, "Units whose window is over.", example: 2800),
                        Field("converted", .integer, "Of these, units that reached the goal.", example: 271),
                    ]).with("description", "The counts of a variant.")),
                "The control first."),
            Field(
                "verdict",
                .object([
                    Field(
                        "code", .known("winner", "no-difference", "no-verdict-yet", "too-little-data", "sample-ratio-mismatch"),
                        "The verdict.",
                        example: "winner"),
                    Field(
                        "sentence", .text,
                        "The verdict in words.",
                        example: "half does better than control: 9.7 of 100 customers reached the goal, against 6.0."),
                    Field(optional: "variant", .text, "The winner; absent for any other verdict.", example: "half"),
                    Field("moneyDisagrees", .flag, "Whether another variant than the winner earns more per unit so far."),
                ]),
                "What it has shown, as in the results."),
            Field("isSplitOff", .flag, "Whether the variants got other customers than they should.", example: false),
            Field(
                optional: "unitsPerDay", .number,
                "Units exposed per day lately; absent where no more come.",
                example: .number("410.5")),
            Field(
                optional: "daysNeeded", .integer,
                "Days until a verdict is likely; absent where that is not known.",
                example: 24),
            Field(
                optional: "total",
                .object([
                    Field("used", .integer, "Offers given.", example: 812),
                    Field("max", .integer, "Offers in all.", example: 1000),
                ]),
                "The limit of all customers together; absent where there is none."),
        ])

    static let campaigns = NamedSchema(
        "Campaigns",
        "Campaigns of an app, in the order of their ids.",
        [
            Field("items", .list(.named("CampaignLine")), "The campaigns."),
            .next,
        ])

    static let campaignRevisions = NamedSchema(
        "CampaignRevisions",
        "Published revisions, the latest first.",
        [
            Field("items", .list(.named("CampaignRevision")), "The revisions."),
            .next,
        ])

    static let campaignActivity = NamedSchema(
        "CampaignActivity",
        "A step that was taken, or a note.",
        [
            Field("number", .integer, "From 1 in each campaign.", example: 4),
            Field(
                "step",
                .known(
                    "create", "save", "discard", "submit", "approve", "reject", "publish", "pause", "resume", "end", "rollback",
                    "testers", "note", "archive", "unarchive"),
                "The step: `create`, or the name of the request.",
                example: "reject"),
            Field("at", .integer, "When. Milliseconds since 1970.", example: 1_772_355_600_000),
            Field("by", .text, "The actor: an access key's id, or `command-line`.", example: "0123456789abcdef"),
            Field("reason", .text, "The note, or the reason in the actor's words; may be empty.", example: "too generous"),
            Field(
                "revision", .integer,
                "The revision that it concerns; of a draft, the number that it would be published as. 0: none.",
                example: 2),
        ])

    static let campaignActivities = NamedSchema(
        "CampaignActivities",
        "A page of the activity.",
        [
            Field("items", .list(.named("CampaignActivity")), "The latest first."),
            .next,
        ])

    static let campaignDiff = NamedSchema(
        "CampaignDiff",
        "What two versions say differently.",
        [
            Field("from", Schema(["type": ["integer", "string"]]), "The number of a revision, or `draft`."),
            Field("to", Schema(["type": ["integer", "string"]]), "The number of a revision, or `draft`."),
            Field("changes", .list(.text), "One line for each field.", example: ["enrolment: 10 % → 50 %"]),
        ])

    static let segmentCopy = NamedSchema(
        "SegmentCopy",
        "A segment as a campaign has it.",
        [
            Field(
                "id", .kebabCase,
                "Unique in the app; never changes.",
                example: "lapsed"),
            Field("name", .text(1...200), "For people.", example: "Lapsed in the last quarter"),
            Field("condition", .named("Condition")),
            Field(optional: "version", .integer(1...), "The version that was copied.", example: 3),
        ])
}
