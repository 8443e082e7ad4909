import OfferService
import WireText

extension NamedSchema {
    static let condition = NamedSchema(
        "Condition",
        """
        Who fits: `all`, `any` or `not` of conditions, a `segment`, or a `fact` or an `attribute` with one operator; see the \
        campaigns manual.
        """,
        .anyObject.with("examples", JSONValue(json: #"[{"fact": "refunds.count", "is": 0}]"#)))

    static let campaignDraft = NamedSchema(
        "CampaignDraft",
        "What is to be published next.",
        [
            Field("campaign", .anyObject, "The campaign as it was written: what `POST` and `PUT` take."),
            Field("state", .known("writing", "in-review", "approved", "rejected"), "How far it has come.", example: "writing"),
            Field("basedOn", .integer, "The number of the revision that it was edited from; 0: none.", example: 2),
            Field(
                "authors", .list(.text),
                """
                Those who saved it, and the writers of segments that it newly copies, in the order in which they first took \
                part.
                """),
            Field("savedAt", .integer, "When it was saved last. Milliseconds since 1970.", example: 1_772_355_600_000),
            Field("savedBy", .text, "The actor: an access key's id, or `command-line`.", example: "0123456789abcdef"),
            Field(
                "submittedAt", .integer.orNull,
                "When it was sent to review. Milliseconds since 1970.",
                example: 1_772_355_600_000),
            Field("submittedBy", .text.orNull, "The actor: an access key's id, or `command-line`.", example: "0123456789abcdef"),
            Field(
                "ruledAt", .integer.orNull,
                "When it was approved or rejected. Milliseconds since 1970.",
                example: 1_772_355_600_000),
            Field("ruledBy", .text.orNull, "The actor: an access key's id, or `command-line`.", example: "0123456789abcdef"),
            Field("reason", .text.orNull, "Why, in their words.", example: "the weights were mixed up"),
        ])

    static let campaignRevision = NamedSchema(
        "CampaignRevision",
        "A published revision; it never changes.",
        [
            Field("revision", .integer, "1 for the first.", example: 2),
            Field("campaign", .anyObject, "The campaign as it was written: what `POST` and `PUT` take."),
            Field("authors", .list(.text), "Its authors, in the order in which they first wrote."),
            Field("approvedBy", .text, "The approver: an access key's id, or `command-line`.", example: "0123456789abcdef"),
            Field("approvedAt", .integer, "When. Milliseconds since 1970.", example: 1_772_355_600_000),
            Field("publishedBy", .text, "The publisher: an access key's id, or `command-line`.", example: "0123456789abcdef"),
            Field("publishedAt", .integer, "When. Milliseconds since 1970.", example: 1_772_355_600_000),
            Field("reason", .text, "Why, in their words; may be empty.", example: ""),
            Field("copyOf", .integer.orNull, "The number of the earlier revision that it is a copy of."),
        ])

    static let campaignFinding = NamedSchema(
        "CampaignFinding",
        "A fault of the draft, or a warning about it.",
        [
            Field("path", .text, "The field.", example: "variants[1].weight"),
            Field(
                "code", .text(matching: "^[a-z0-9]+(?:-[a-z0-9]+)*$"),
                "What it is; there can be more in a later version.",
                example: "invalid-weight"),
            Field("severity", .known("error", "warning"), "An error keeps it from being published.", example: "error"),
            Field("message", .text, "What is wrong, then what to do.", example: "10001 is more than 100 %."),
        ])

    static let managedCampaign = NamedSchema(
        "ManagedCampaign",
        "A campaign with its draft and what is published of it.",
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
            Field("draft", .oneOf(.named("CampaignDraft"), .null), "What is to be published next; null: there is none."),
            Field("published", .oneOf(.named("CampaignRevision"), .null), "The latest revision; null: nothing was published."),
            Field(
                "findings", .list(.named("CampaignFinding")),
                "About the draft, or about what is published where there is no draft."),
            Field(
                "testers", .list(.named("KeptCampaignTester")),
                "The customers who try it out with sandbox purchases; not part of a revision."),
        ])

    static let keptCampaignTester = NamedSchema(
        "KeptCampaignTester",
        "A tester as kept.",
        [
            Field(optional: "customerId", .name, "The app's own id of the customer.", example: "qa-1"),
            Field(
                optional: "appTransactionId", .name,
                "Any `appTransactionId` of the customer's purchases.",
                example: "704897469903179627"),
            Field(
                optional: "originalTransactionId", .name,
                "Any `originalTransactionId` of the customer's purchases.",
                example: "2000000412345678"),
            Field("variant", .text(1...64), "The id of a variant of the draft, or of what is published.", example: "half"),
            Field(
                "note", .text(within: .testerNote, matching: #"^[^\x00]*$"#),
                "For people; at most 200 characters.",
                example: "test phone of the shop team"),
        ])

    static let rehearsal = NamedSchema(
        "Rehearsal",
        "What testers have met, by variant; in whatever environment they asked. No result counts it.",
        .anyObject.with(
            "additionalProperties",
            JSONValue(
                json:
                    #"{"type": "object", "additionalProperties": false, "required": ["exposed", "signed"], "properties": {"exposed": {"description": "Testers who have met the variant.", "type": "integer", "minimum": 0, "examples": [2]}, "signed": {"description": "Signatures of its offers for testers.", "type": "integer", "minimum": 0, "examples": [5]}}}"#
            )
        ).with("examples", JSONValue(json: #"[{"half": {"exposed": 2, "signed": 5}}]"#)))

    static let campaignOffer = NamedSchema(
        "CampaignOffer",
        "A promotional offer of the catalogue.",
        [
            Field("productId", .someText, "The product.", example: "com.example.pro.monthly"),
            Field("offerId", .someText, "The offer.", example: "winback50"),
        ])

    static let campaignIntroductoryOffer = NamedSchema(
        "CampaignIntroductoryOffer",
        "Whether customers get the introductory offer of a product. Left out: the App Store decides.",
        [
            Field("productId", .someText, "The product.", example: "com.example.pro.monthly"),
            Field(
                "allow", .flag,
                """
                True: a customer who may have the introductory offer gets it. False: no customer gets it.
                """,
                example: true),
        ])

    static let campaignSwitch = NamedSchema(
        "CampaignSwitch",
        "Another product that Retention Messaging proposes. Only in campaigns for the placement `retention`, with a `message`.",
        [
            Field("productId", .someText, "The product, of the same subscription group.", example: "com.example.pro.yearly"),
            Field(
                optional: "billingPlan", .one(of: "upfront", "monthly"),
                "Its billing plan; left out: the one that the App Store takes by default.",
                example: "upfront"),
        ])

    static let campaignIntroductory = NamedSchema(
        "CampaignIntroductory",
        "Further rules on introductory offers.",
        [
            Field(
                optional: "again", .flag,
                """
                True: variants that give an introductory offer also give it to customers who have used one of its \
                subscription group. Left out: false.
                """,
                example: false)
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
            Field(optional: "offers", .list(.named("CampaignOffer")), "Which promotional offers it gives; left out: none."),
            Field(optional: "introductoryOffer", .named("CampaignIntroductoryOffer")),
            Field(
                optional: "link", .text,
                """
                An address at which the App Store gives an offer: the direct link of a win-back offer, or the URL of an offer \
                code. Not for the placement `retention`.
                """,
                example: "https://apps.apple.com/redeem?ctx=offercodes&id=1234567890&code=SPRING"),
            Field(optional: "switchTo", .named("CampaignSwitch")),
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
        "How often its offers may be redeemed.",
        [
            Field(optional: "perCustomer", .integer(1...), "By one customer.", example: 1),
            Field(optional: "per", .text, "For how long a redemption counts; left out: for ever.", example: "P90D"),
            Field(optional: "total", .integer(1...), "In all. Customers who hold a signature count, too.", example: 10000),
        ])

    static let campaignGoal = NamedSchema(
        "CampaignGoal",
        "What counts as success.",
        [
            Field(
                optional: "metric", .one(of: "subscribed", "retained", "redeemed", "converted-to-paid", "revenue"),
                "What is counted.", example: "subscribed"),
            Field(optional: "window", .text, "Within which time after the customer first met it.", example: "P14D"),
            Field(optional: "expected", .number, "The share that is expected without an offer.", example: .number("0.1")),
            Field(
                optional: "detect", .number,
                "The smallest difference worth knowing: of shares or, for `revenue`, of the currency's unit for each customer.",
                example: .number("0.02")),
            Field(optional: "currency", .text, "For `revenue`, which needs it: ISO 4217.", example: "USD"),
            Field(
                optional: "standardDeviation", .number,
                "For `revenue`: how much customers' payments are expected to vary, in the currency's unit.",
                example: .number("3.2")),
            Field(
                optional: "cap", .number,
                "For `revenue`: the most that one customer's payments count, in the currency's unit.", example: .number("50")),
            Field(
                optional: "customersPerDay", .integer,
                "How many customers of the audience ask for offers each day, for the forecast as long as that is not measured.",
                example: 300),
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
            Field(optional: "introductory", .named("CampaignIntroductory")),
            Field(optional: "goal", .named("CampaignGoal")),
            Field(optional: "analysis", .named("CampaignAnalysis")),
        ])
}
