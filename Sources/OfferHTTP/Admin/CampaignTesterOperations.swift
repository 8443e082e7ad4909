import OfferService
import WireText

extension Operation {
    static let getCampaignTesters = Operation(
        id: "getCampaignTesters", method: .get, path: "/v1/admin/campaigns/{id}/testers", access: .needs(.campaigns),
        about: About(
            tag: "campaigns",
            summary: "Show the testers of a campaign",
            text: "The customers who try it out with sandbox purchases, and what they have met.",
            parameters: ["campaignId", "bundleIdInQuery"],
            successes: [
                Success("The testers.", "CampaignTesters", headers: ["ETag"])
            ],
            problems: [404: "UnknownCampaign"]))

    static let setCampaignTesters = Operation(
        id: "setCampaignTesters", method: .put, path: "/v1/admin/campaigns/{id}/testers", access: .needs(.campaignDrafts),
        about: About(
            tag: "campaigns",
            summary: "Set the testers of a campaign",
            text: """
                Replaces all testers. A tester gets the variant of the draft, or of the published revision if there is no draft, \
                in the Sandbox and Xcode environments only. Needs no approval and makes no revision.
                """,
            parameters: ["campaignId", "If-Match"],
            body: Body(.campaignTestersRequest, size: CampaignDesk.maxBytes),
            successes: [
                Success("The testers as they are now.", "CampaignTesters", headers: ["ETag"])
            ],
            problems: [
                404: "UnknownCampaign", 409: "CampaignConflict", 412: "ChangedMeanwhile", 413: "BodyTooLarge",
                422: "InvalidTesters", 428: "PreconditionRequired",
            ]))
}

extension NamedSchema {
    static let campaignTester = NamedSchema(
        "CampaignTester",
        "A customer who tries a campaign out, named by exactly one of the three ids.",
        [
            Field(optional: "customerId", .name.orNull, "The app's own id of the customer.", example: "qa-1"),
            Field(
                optional: "appTransactionId", .name.orNull,
                "Any `appTransactionId` of the customer's purchases.",
                example: "704897469903179627"),
            Field(
                optional: "originalTransactionId", .name.orNull,
                "Any `originalTransactionId` of the customer's purchases.",
                example: "2000000412345678"),
            Field("variant", .text(1...64), "The id of a variant of the draft, or of what is published.", example: "half"),
            Field(
                optional: "note", .text(within: .testerNote, matching: #"^[^\x00]*$"#).orNull,
                "For people; at most 200 characters.",
                example: "test phone of the shop team"),
        ])

    static let campaignTestersRequest = NamedSchema(
        "CampaignTestersRequest",
        "The testers of a campaign from now on; they replace all earlier ones.",
        [
            .bundleID,
            .reason,
            Field("testers", .list(.named("CampaignTester")), "100 at most, each once; empty: none."),
        ])

    static let campaignTesters = NamedSchema(
        "CampaignTesters",
        "The testers of a campaign, and what they have met.",
        [
            Field("testers", .list(.named("KeptCampaignTester")), "In the order in which they were given."),
            Field("rehearsal", .named("Rehearsal")),
        ])

    static let campaignAnalysis = NamedSchema(
        "CampaignAnalysis",
        "When the result may be read.",
        [
            Field(
                optional: "method", .one(of: "sequential", "fixed"),
                """
                `sequential`: any day; `fixed`: once, when the first `sampleSize` units have had their time. Left out: \
                `sequential`.
                """,
                example: "fixed"),
            Field(
                optional: "sampleSize", .integer,
                "Units of all variants together; with `fixed` only, and there required.",
                example: 8000),
        ])
}
