import OfferService
import WireText

extension Operation {
    static let giveOffers = Operation(
        id: "giveOffers", method: .post, path: "/v1/offers", access: .needsOrEndUser(.sign),
        about: About(
            tag: "campaigns",
            summary: "Say which offers campaigns give a customer",
            text: """
                Live campaigns decide, and the service records which of them have taken the customer, durably before it answers. \
                Signs nothing. The exposure does not depend on the variant. docs/campaigns.md explains it.
                """,
            body: Body(
                .offersRequest, size: BodySize.usual,
                examples: [
                    Example(
                        "paywall",
                        #"""
                        {"bundleId": "com.example.app", "customerId": "u-123", "placement": "paywall",
                        "attributes": {"country": "US", "appVersion": "2.10.1"}}
                        """#)
                ]),
            successes: [
                Success(
                    "What the customer gets, and from which campaigns.", "OffersAnswer", isPrivate: false,
                    examples: [
                        Example(
                            "taken",
                            #"""
                            {"offers": [{"productId": "com.example.pro.monthly", "offerId": "winback50",
                            "campaign": {"id": "spring-winback", "revision": 3, "variant": "half"}}],
                            "assignments": [{"campaign": "spring-winback", "revision": 3, "variant": "half"},
                            {"campaign": "price-test", "revision": 1, "variant": "holdout"}]}
                            """#),
                        Example(
                            "never",
                            #"""
                            {"offers": [], "assignments": [], "eligibility": {"status": "ineligible",
                            "reasons": [{"code": "never-subscribed",
                            "message": "The customer has never subscribed in this app, and the App Store gives promotional o\#
                            ffers to current and former subscribers only."}]}}
                            """#),
                    ])
            ],
            problems: [404: "UnknownApp", 409: "BoundToAnotherCustomer", 413: "LargeBodyTooLarge", 422: "SignedDataRefused"]))

    static let listCampaigns = Operation(
        id: "listCampaigns", method: .get, path: "/v1/admin/campaigns", access: .needs(.campaigns),
        about: About(
            tag: "campaigns",
            summary: "List the campaigns of an app",
            text: """
                In the order of their ids, without their texts. A page of a filtered list may be short, or empty, with more \
                behind it.
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
    static let offersRequest = NamedSchema(
        "OffersRequest",
        """
        Asks which offers campaigns give a customer. At least one of customerId, appAccountToken, transactionId and \
        appTransactionId is required, except with a token of an end user.
        """,
        [
            Field(
                optional: "bundleId", .name.orNull,
                "The app. May be left out when the access key is limited to one app, or when the service has just one app.",
                example: "com.example.app"),
            Field(
                optional: "environment", .named("Environment"),
                """
                The environment that the request is about; default: the app's own. `Sandbox` beside a Production app only \
                where the app accepts it (`sandbox: true`). `Xcode` only where the app has the key of StoreKit Testing \
                (`xcodeKey`).
                """),
            Field(
                optional: "customerId", .name.orNull,
                """
                The app's own user id. The subscriptions that this request brings are bound to this customer, unless they \
                are bound already. With a token of an end user its `sub` counts in place of this.
                """,
                example: "u-123"),
            Field(
                optional: "appAccountToken", .uuid.orNull,
                """
                The UUID that the app gives StoreKit as appAccountToken, in any case. With a token of an end user only their \
                own: else 403.
                """,
                example: "7e3fb20b-4cdb-47cc-936d-99d65f608138"),
            Field(
                optional: "transactionId", .transactionID.orNull,
                "Any transaction id of the customer. Not with a token of an end user: 403.",
                example: "2000000123456789"),
            Field(
                optional: "appTransactionId", .transactionID.orNull,
                """
                The Apple account, by its `appTransactionId` for the app, which every transaction and AppTransaction \
                carries. Its purchases count as the customer's, except those of another customer. Not with a token of an end \
                user: 403.
                """,
                example: "704289572311513293"),
            Field(
                optional: "signedTransactions",
                .signedData(RequestBounds.histories).orNull,
                """
                StoreKit 2 transactions that the client holds, as signed. They are verified and stored first, all of them or \
                none, so that the answer counts them.
                """),
            Field(
                optional: "placement", .name.orNull,
                """
                Where in the app offers are asked for. Campaigns for another placement pass the customer over; left out, \
                those of every placement decide. `retention` is the App Store's own and refused.
                """,
                example: "paywall"),
            Field(
                optional: "attributes",
                .anyObject.with("maxProperties", 50).with(
                    "propertyNames", JSONValue(json: #"{"minLength": 1, "maxLength": 255, "pattern": "^[^\\u0000\\u2063]*$"}"#)
                ).with(
                    "additionalProperties",
                    JSONValue(
                        json:
                            #"{"description": "A text, a finite number or a Boolean.", "type": ["string", "number", "boolean", "null"], "maxLength": 255, "pattern": "^[^\\u0000\\u2063]*$"}"#
                    )
                ).orNull,
                """
                What the app knows of the customer, for the audiences of campaigns. It is not verified. `null` stands for \
                absent. `storefront` and `appVersion` are kept with the exposure.
                """,
                example: JSONValue(json: #"{"country": "US", "appVersion": "2.10.1"}"#)),
        ])

    static let offersAnswer = NamedSchema(
        "OffersAnswer",
        "What live campaigns give a customer.",
        [
            Field(
                "offers", .list(.named("GivenOffer")),
                "What the app may show, in the order in which campaigns decide; each offer once."),
            Field(
                "assignments", .list(.named("Assignment")),
                "Every campaign that has taken the customer, control and holdout included."),
            Field(optional: "eligibility", .named("Advice")),
        ])

    static let givenOffer = NamedSchema(
        "GivenOffer",
        "An offer that a campaign gives.",
        [
            Field(
                "productId", .name,
                "The product id of the subscription, from the catalogue.",
                example: "com.example.pro.monthly"),
            Field("offerId", .name, "The id of the promotional offer, from the catalogue.", example: "winback50"),
            Field("campaign", .named("ChoosingCampaign")),
        ])

    static let assignment = NamedSchema(
        "Assignment",
        "A campaign that has taken the customer.",
        [
            Field("campaign", .text(1...64), "The campaign's id.", example: "spring-winback"),
            Field(
                "revision", .integer(0...),
                "The number of its revision that decided; 0: a draft that a tester tries.",
                example: 3),
            Field("variant", .text(1...64), "The id of the variant; `holdout` for a customer who is held out.", example: "half"),
            Field(
                optional: "rehearsal", .always(true),
                """
                True: the customer is one of the campaign's testers, and results do not count it. Left out for every other \
                customer.
                """,
                example: true),
            Field(
                optional: "outsideAudience", .always(true),
                "True: without being a tester the customer would not be in the campaign's audience. Left out otherwise.",
                example: true),
        ])

    static let campaignOffer = NamedSchema(
        "CampaignOffer",
        "A promotional offer of the catalogue.",
        [
            Field("productId", .someText, "The product.", example: "com.example.pro.monthly"),
            Field("offerId", .someText, "The offer.", example: "winback50"),
        ])

    static let campaignVariant = NamedSchema(
        "CampaignVariant",
        "One of the ways in which customers are treated.",
        [
            Field(
                "id", .kebabCase,
                "Stable; small letters, digits and hyphens.",
                example: "half"),
            Field(
                optional: "name", .text(1...60),
                "For people; left out: the id is shown. Buckets do not depend on it.",
                example: "Half price"),
            Field("weight", .integer(0...10000), "Basis points of those let in; all add up to 10000.", example: 5000),
            Field(optional: "offers", .list(.named("CampaignOffer")), "What it offers; left out: nothing, as a control."),
            Field(
                optional: "message", .text,
                """
                What Retention Messaging shows: the id of a text that was uploaded to the App Store. Only in campaigns for \
                the placement `retention`, and needed there with an offer.
                """,
                example: "0b8e4c5a-2f0b-4e0e-9e59-1f2c3d4e5f60"),
        ])

    static let campaignSchedule = NamedSchema(
        "CampaignSchedule",
        "When it runs.",
        [
            Field(
                optional: "from", .text,
                "From this time on, in UTC; left out: from publishing on.",
                example: "2031-03-01T00:00:00Z"),
            Field(
                optional: "until", .text,
                "Up to this time, exclusive, in UTC; left out: until it is ended.",
                example: "2031-04-01T00:00:00Z"),
        ])

    static let campaignLimits = NamedSchema(
        "CampaignLimits",
        "How often it gives offers.",
        [
            Field(optional: "perCustomer", .integer(1...), "To one customer.", example: 1),
            Field(optional: "per", .text, "For how long that counts; left out: for ever.", example: "P90D"),
            Field(optional: "total", .integer(1...), "In all.", example: 10000),
        ])

    static let campaignGoal = NamedSchema(
        "CampaignGoal",
        "What counts as success.",
        [
            Field(optional: "metric", .one(of: "subscribed", "retained", "redeemed"), "What is counted.", example: "subscribed"),
            Field(optional: "window", .text, "Within which time after the customer first met it.", example: "P14D"),
            Field(optional: "expected", .number, "The share that is expected without an offer.", example: .number("0.1")),
            Field(optional: "detect", .number, "The smallest difference worth knowing.", example: .number("0.02")),
        ])

    static let campaign = NamedSchema(
        "Campaign",
        "A campaign as its author writes it. A draft may have faults in what it says, not in its form.",
        [
            Field(
                "id", .kebabCase,
                "Unique in the app; never changes.",
                example: "spring-winback"),
            Field("name", .text, "For people.", example: "Win back in spring"),
            Field(
                optional: "hypothesis", .text,
                "What its author expects: plain text of up to 2,000 bytes.",
                example: "Half the price wins back more than it costs."),
            Field(
                optional: "tags", .list(.text(matching: "^[a-z0-9]+(?:-[a-z0-9]+)*$")),
                "Words to find it by, up to 10 of them.",
                example: ["spring"]),
            Field("bundleId", .name, "The app.", example: "com.example.app"),
            Field(
                optional: "placement", .someText,
                "Where in the app; left out: anywhere but in the App Store's own questions.",
                example: "paywall"),
            Field(optional: "priority", .integer, "Higher decides first; left out: 0.", example: 10),
            Field(
                optional: "exclusionGroup", .someText,
                "Campaigns of one group never take the same customer.",
                example: "winback"),
            Field(optional: "schedule", .named("CampaignSchedule")),
            Field(
                optional: "unit", .one(of: "customer", "appTransaction", "originalTransaction"),
                "What is put into buckets.",
                example: "customer"),
            Field(
                optional: "enrolment", .integer(0...10000),
                "Basis points of the audience that are let in; left out: all.",
                example: 10000),
            Field(optional: "holdout", .integer(0...10000), "Basis points that never get it; left out: 0.", example: 500),
            Field(optional: "audience", .named("Condition")),
            Field(
                optional: "segments", .list(.named("SegmentCopy")),
                """
                Copies of the segments that the audience names, made when a draft is saved; what a caller gives counts only \
                where the app has no such segment.
                """),
            Field(optional: "limits", .named("CampaignLimits")),
            Field("variants", .list(.named("CampaignVariant")), "In the order in which the buckets are shared out."),
            Field(optional: "goal", .named("CampaignGoal")),
            Field(optional: "analysis", .named("CampaignAnalysis")),
        ])

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
            Field("next", .text.orNull, "What to give as `after` for the rest; null where there is none."),
        ])

    static let campaignRevisions = NamedSchema(
        "CampaignRevisions",
        "Published revisions, the latest first.",
        [
            Field("items", .list(.named("CampaignRevision")), "The revisions."),
            Field("next", .text.orNull, "What to give as `after` for the rest; null where there is none."),
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
            Field("next", .text.orNull, "What to give as `after` for the rest; null where there is none."),
        ])

    static let campaignDiff = NamedSchema(
        "CampaignDiff",
        "What two versions say differently.",
        [
            Field("from", Schema(["type": ["integer", "string"]]), "The number of a revision, or `draft`."),
            Field("to", Schema(["type": ["integer", "string"]]), "The number of a revision, or `draft`."),
            Field("changes", .list(.text), "One line for each field.", example: ["enrolment: 10 % → 50 %"]),
        ])

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
                optional: "note", .text(within: .testerNote, matching: #"^[^\u0000]*$"#).orNull,
                "For people; at most 200 characters.",
                example: "test phone of the shop team"),
        ])

    static let campaignTestersRequest = NamedSchema(
        "CampaignTestersRequest",
        "The testers of a campaign from now on; they replace all earlier ones.",
        [
            Field(
                optional: "bundleId", .name.orNull,
                "The app. May be left out where you may see one only.",
                example: "com.example.app"),
            Field(optional: "reason", .text(within: .reason).orNull, "Why, in your words; it is kept.", example: "looks right"),
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
