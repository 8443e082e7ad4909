import OfferService
import WireText

extension Operation {
    static let countAudience = Operation(
        id: "countAudience", method: .post, path: "/v1/admin/campaigns/reach", access: .needs(.campaigns),
        about: About(
            tag: "campaigns",
            summary: "Count the customers of an audience",
            text: """
                Counts all stored customers, while the service signs. It changes nothing. If a count takes longer than a second, \
                the answer is 202 with the progress; ask again with the same body.
                """,
            body: Body(.reachRequest, size: CampaignDesk.maxBytes),
            successes: [
                Success("It is counted.", "Reach"),
                Success("It goes on; ask again with the same body.", "ReachProgress", status: 202),
            ],
            problems: [404: "UnknownApp", 413: "BodyTooLarge"]))

    static let tryCustomer = Operation(
        id: "tryCustomer", method: .post, path: "/v1/admin/campaigns/try", access: .needs(.campaigns),
        about: About(
            tag: "campaigns",
            summary: "Say what campaigns would give a customer, and why",
            text: """
                Tries the live campaigns on one customer, as `POST /v1/offers` does, and explains each decision. Signs, records \
                and counts nothing, and ignores limits.
                """,
            body: Body(
                .trialRequest, size: 64 << 10,
                examples: [
                    Example(
                        "draft",
                        #"""
                        {"bundleId": "com.example.app", "customerId": "u-123", "placement": "paywall",
                        "attributes": {"country": "US", "appVersion": "2.10.1"}, "with": "spring-winback"}
                        """#)
                ]),
            successes: [
                Success("What the customer would get, and why.", "TrialAnswer")
            ],
            problems: [404: "UnknownCampaign", 409: "CampaignConflict", 413: "BodyTooLarge", 422: "InvalidCampaign"]))
}

extension NamedSchema {
    static let reachRequest = NamedSchema(
        "ReachRequest",
        "An audience to be counted, or a campaign whose audience is.",
        [
            .bundleID,
            Field(
                optional: "environment", .one(of: "Production", "Sandbox"),
                "Whose purchases; left out: the app's own environment.",
                example: "Production"),
            Field(
                optional: "audience", .anyObject.orNull,
                "The condition; left out: all customers.",
                example: JSONValue(json: #"{"fact": "refunds.count", "is": 0}"#)),
            Field(
                optional: "campaign", .anyObject.orNull,
                """
                A campaign as it is made, in place of `audience`: its audience is counted, and the answer has its \
                `forecast`.
                """,
                example: JSONValue(
                    json:
                        #"{"id": "spring-winback", "name": "Spring", "bundleId": "com.example.app", "variants": [{"id": "control", "weight": 5000}, {"id": "half", "weight": 5000, "offers": [{"productId": "com.example.pro.monthly", "offerId": "winback50"}]}], "goal": {"metric": "subscribed", "window": "P14D", "expected": 0.06, "detect": 0.02}}"#
                )),
        ])

    static let sampledCustomer = NamedSchema(
        "SampledCustomer",
        "A customer of the sample.",
        [
            Field("customerId", .text, "The app's own id.", example: "u-123"),
            Field("reasons", .list(.text), "What was found, one line for each condition."),
            Field("heldUpBy", .list(.text), "The paths of the conditions that exclude the customer; none: the customer fits."),
        ])

    static let reachCondition = NamedSchema(
        "ReachCondition",
        "A condition that narrows the audience.",
        [
            Field("path", .text, "Where it stands.", example: "audience.all[0]"),
            Field("text", .text, "In words.", example: "the number of refunds is 0"),
            Field("matching", .integer, "How many fit this one and all before it.", example: 812_000),
        ])

    static let reach = NamedSchema(
        "Reach",
        "How many stored customers fit, and some of them.",
        [
            Field("status", .known("counted"), "It is done.", example: "counted"),
            Field("asOf", .integer, "When it was counted. Milliseconds since 1970.", example: 1_772_355_600_000),
            Field("customers", .integer, "How many customers are stored by name.", example: 1_000_000),
            Field(
                "matching", .integer,
                "How many of them fit, at most: conditions that only the app can decide are left out.",
                example: 412_000),
            Field("unreadable", .integer, "Those whose record cannot be read.", example: 0),
            Field("conditions", .list(.named("ReachCondition")), "How each condition narrows the number."),
            Field(
                "attributes", .list(.text),
                "The attributes that are left out: only the app knows them when it asks for offers.",
                example: ["country"]),
            Field("sample", .list(.named("SampledCustomer")), "Up to 40 who fit, in effect at random."),
            Field("misses", .list(.named("SampledCustomer")), "Up to 10 that only one condition excludes."),
            Field("asking", .named("ReachAsking")),
            Field(optional: "forecast", .named("ReachForecast")),
        ])

    static let reachProgress = NamedSchema(
        "ReachProgress",
        "How far the count has come.",
        [
            Field("status", .known("counting"), "It goes on.", example: "counting"),
            Field("counted", .integer, "Customers that were looked at.", example: 412_000),
            Field("of", .integer.orNull, "All customers to look at; null: not known yet.", example: 1_000_000),
        ])

    static let reachAsking = NamedSchema(
        "ReachAsking",
        "How many of those who fit have asked for offers lately.",
        [
            Field(
                "days", .integer,
                "The days that are looked at, at most 28: whole weeks, unless less than a week of questions is known.",
                example: 28),
            Field("customers", .integer, "Customers who asked in these days, each counted once.", example: 5600),
        ])

    static let reachForecast = NamedSchema(
        "ReachForecast",
        "How long a campaign that starts now is likely to take to a verdict.",
        [
            Field(
                "code", .known("days", "too-short", "never", "no-pace", "no-size", "nothing-to-compare"),
                """
                `days`: so many; `too-short`: its schedule ends before a verdict is likely; \
                `never`: at this pace it does not get as many units; `no-pace`: less than a week of \
                questions is known, or no customer asked, and the goal has no `customersPerDay`; `no-size`: its goal lacks `detect`, or `expected` (for `revenue`: `standardDeviation`); \
                `nothing-to-compare`: customers get one variant only.
                """,
                example: "days"),
            Field(optional: "days", .integer, "Days until so many units are exposed and their windows are over.", example: 64),
            Field(optional: "units", .integer, "For `too-short`: the units that it is likely to have by then.", example: 1400),
            Field(optional: "unitsNeeded", .integer, "The units that a verdict needs.", example: 4100),
        ])

    static let trialRequest = NamedSchema(
        "TrialRequest",
        """
        The customer to try, and how. At least one of customerId, appAccountToken, transactionId and appTransactionId is \
        required.
        """,
        [
            .bundleID,
            Field(optional: "customerId", .name.orNull, "The app's own user id.", example: "u-123"),
            Field(
                optional: "appAccountToken", .uuid.orNull,
                "The UUID that the app gives StoreKit as appAccountToken, in any case.",
                example: "7e3fb20b-4cdb-47cc-936d-99d65f608138"),
            Field(
                optional: "transactionId", .transactionID.orNull,
                "Any transaction id of the customer.",
                example: "2000000123456789"),
            Field(
                optional: "appTransactionId", .transactionID.orNull,
                "The Apple account, by its `appTransactionId` for the app.",
                example: "704289572311513293"),
            Field(
                optional: "environment", .one(of: "Production", "Sandbox"),
                "Whose purchases; left out: the app's own environment.",
                example: "Production"),
            Field(
                optional: "placement", .name.orNull,
                """
                Where in the app offers are asked for; `retention` is the App Store's own. Campaigns for another placement \
                pass the customer over; left out, those of every placement decide.
                """,
                example: "paywall"),
            Field(
                optional: "attributes",
                .attributes,
                "What the app would say of the customer. `null` stands for absent.",
                example: JSONValue(json: #"{"country": "US", "appVersion": "2.10.1"}"#)),
            .billingPlan,
            Field(
                optional: "at", .integer(RequestBounds.instants).orNull,
                "The time for which the campaigns and the purchases are looked at; left out: now. Milliseconds since 1970.",
                example: 1_772_355_600_000),
            Field(
                optional: "with", .name.orNull,
                "The id of the campaign whose draft replaces its published revision, also if it is paused or in review.",
                example: "spring-winback"),
        ])

    static let triedChoice = NamedSchema(
        "TriedChoice",
        "The campaign that would give an offer.",
        [
            Field("id", .text, "The campaign's id.", example: "spring-winback"),
            Field(optional: "revision", .integer(1...), "The number of its revision; left out for the draft.", example: 3),
            Field("variant", .text, "The id of the variant.", example: "half"),
        ])

    static let triedOffer = NamedSchema(
        "TriedOffer",
        "A promotional offer or a link that a campaign would give, or its decision about an introductory offer.",
        [
            Field(
                "productId", .text.orNull, "The product id of the subscription; null for a link.",
                example: "com.example.pro.monthly"),
            Field(optional: "offerId", .text, "The id of the promotional offer.", example: "winback50"),
            Field(optional: "introductoryOffer", .named("IntroductoryDecision")),
            Field(
                optional: "link", .text, "The address at which the App Store gives an offer.",
                example: "https://apps.apple.com/redeem?ctx=offercodes&id=1234567890&code=SPRING"),
            Field("campaign", .named("TriedChoice")),
        ])

    static let triedAssignment = NamedSchema(
        "TriedAssignment",
        "A campaign that would take the customer.",
        [
            Field("campaign", .text, "The campaign's id.", example: "spring-winback"),
            Field(optional: "revision", .integer(1...), "The number of its revision; left out for the draft.", example: 3),
            Field("variant", .text, "The id of the variant; `holdout` for a customer who is held out.", example: "half"),
        ])

    static let triedObstacle = NamedSchema(
        "TriedObstacle",
        "Why a campaign passes the customer over.",
        [
            Field(
                "code",
                .known(
                    "placement", "promotional-only", "not-started", "ended", "limit-reached", "exclusion-group", "no-unit",
                    "audience", "not-enrolled"
                ),
                "The stable code.",
                example: "audience"),
            Field("message", .text, "The same for people.", example: "the audience does not fit"),
        ])

    static let triedCondition = NamedSchema(
        "TriedCondition",
        "What was found of a condition.",
        [
            Field("path", .text, "Where it stands.", example: "audience.all[0]"),
            Field("kind", .known("all", "any", "not", "segment", "test"), "What it is.", example: "test"),
            Field("holds", .known("yes", "no", "unknown"), "Whether it holds; `unknown` matches nothing.", example: "yes"),
            Field("text", .text, "In words, with what was found.", example: "the number of refunds is 0 – found: 0"),
            Field(optional: "value", Schema([:]), "What was found, of a test; null: nothing is known.", example: 0),
            Field(optional: "parts", .list(.named("TriedCondition")), "The conditions in it, in their order; not of a test."),
        ])

    static let triedUnit = NamedSchema(
        "TriedUnit",
        "What is put into buckets.",
        [
            Field("kind", .known("customer", "appTransaction", "originalTransaction"), "Which id.", example: "customer"),
            Field("id", .text.orNull, "The id; null where nothing proves one.", example: "u-123"),
        ])

    static let triedBucket = NamedSchema(
        "TriedBucket",
        "Where the customer falls.",
        [
            Field("hash", .integer(0...), "MurmurHash3 of campaign, purpose and unit.", example: 2_147_483_648),
            Field("bucket", .integer(0...9999), "The place, from 0 to 9999.", example: 5000),
        ])

    static let triedBuckets = NamedSchema(
        "TriedBuckets",
        "Where the customer falls for each purpose, as far as it was asked.",
        [
            Field(optional: "holdout", .named("TriedBucket")),
            Field(optional: "enrol", .named("TriedBucket")),
            Field(optional: "variant", .named("TriedBucket")),
        ])

    static let triedCampaign = NamedSchema(
        "TriedCampaign",
        "One campaign, tried on the customer.",
        [
            Field("id", .text, "The campaign's id.", example: "spring-winback"),
            Field(optional: "revision", .integer(1...), "The number of its revision; left out for the draft.", example: 3),
            Field("verdict", .known("assigned", "held-out", "passed-over"), "What comes of it.", example: "assigned"),
            Field(optional: "variant", .text, "The id of the variant; left out unless it takes the customer.", example: "half"),
            Field("message", .text, "The verdict for people.", example: "takes the customer: variant half"),
            Field("obstacles", .list(.named("TriedObstacle")), "Why it passes the customer over; none where it does not."),
            Field(optional: "audience", .named("TriedCondition")),
            Field("unit", .named("TriedUnit")),
            Field("buckets", .named("TriedBuckets")),
        ])

    static let trialEligibility = NamedSchema(
        "TrialEligibility",
        """
        What Apple's rules say of promotional offers. Where the app enforces them, campaigns give them to `eligible` \
        customers only; for others, only campaigns with an introductory offer or a link decide.
        """,
        [
            Field("status", .known("eligible", "ineligible", "unknown", "no-offer"), "The verdict.", example: "eligible"),
            Field("reasons", .named("Reasons")),
        ])

    static let trialAnswer = NamedSchema(
        "TrialAnswer",
        "What campaigns would give a customer, and why.",
        [
            Field("asOf", .integer, "As of when. Milliseconds since 1970.", example: 1_772_355_600_000),
            Field("environment", .text, "Whose purchases were looked at.", example: "Production"),
            Field(
                "hasPurchases", .flag,
                "Whether any purchases of the customer are stored; if not, they are tried as a new customer.",
                example: true),
            Field("offers", .list(.named("TriedOffer")), "What would be given, the first campaign's first."),
            Field(
                "assignments", .list(.named("TriedAssignment")),
                "Every campaign that would take the customer, control and holdout included."),
            Field("campaigns", .list(.named("TriedCampaign")), "Every campaign that was looked at, in order of priority."),
            Field(
                "paused", .list(.someText.with("examples", ["autumn"])),
                "The ids of paused campaigns, which no customer gets."),
            Field("eligibility", .named("TrialEligibility")),
        ])
}
