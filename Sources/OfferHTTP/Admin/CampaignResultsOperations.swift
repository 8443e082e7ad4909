import OfferService
import WireText

extension Operation {
    static let getCampaignResults = Operation(
        id: "getCampaignResults", method: .get, path: "/v1/admin/campaigns/{id}/results", access: .needs(.campaigns),
        about: About(
            tag: "campaigns",
            summary: "Show the results of a campaign",
            text: """
                Counted from the exposures and purchases that are stored now; no outcome is stored. The answer is the last \
                count, if that is no older than ten times the time a count takes; otherwise the service counts again. With \
                `Accept: text/csv` it is a table, a line for each variant.
                """,
            parameters: ["campaignId", "bundleIdInQuery", "environmentInQuery", "asOfInQuery"],
            successes: [
                Success(
                    "The results. With `counting` they are the last ones, and a new count runs.",
                    [("application/json", .named("CampaignResults")), ("text/csv", .text)]),
                Success(
                    "The first count runs, and takes longer than a request waits. Ask again.", "CountingAnswer", status: 202,
                    headers: ["Retry-After"]),
            ],
            problems: [404: "UnknownCampaign", 409: "NothingPublished", 422: "InvalidCampaign"]))

    static let exportAssignments = Operation(
        id: "exportAssignments", method: .get, path: "/v1/admin/campaigns/{id}/assignments", access: .needs(.campaigns),
        about: About(
            tag: "campaigns",
            summary: "Export every unit of a campaign with its outcome",
            text: """
                One JSON object a line, or with `Accept: text/csv` a table; streamed, by first exposure. The results can be \
                computed from these rows alone.
                """,
            parameters: ["campaignId", "bundleIdInQuery", "environmentInQuery", "asOfInQuery"],
            successes: [
                Success(
                    "The units.", [("application/jsonl", .named("ExportedAssignment")), ("text/csv", .text)], headers: ["X-As-Of"]
                )
            ],
            problems: [404: "UnknownCampaign", 409: "NothingPublished", 422: "InvalidCampaign"]))
}

extension NamedSchema {
    static let conversion = NamedSchema(
        "Conversion",
        "Which share of the matured units reached the goal, with Wilson's 95 % interval.",
        [
            Field("rate", .number.orNull, "The share; null without units.", example: .number("0.061")),
            Field("low", .number, "Lower end.", example: .number("0.054")),
            Field("high", .number, "Upper end.", example: .number("0.069")),
        ])

    static let countingProgress = NamedSchema(
        "CountingProgress",
        "How far the counting has come.",
        [
            Field("done", .integer(0...), "Units counted.", example: 412_000),
            Field("total", .integer(0...).orNull, "All of them; null while their exposures are still read.", example: 1_000_000),
        ])

    static let countingAnswer = NamedSchema(
        "CountingAnswer",
        "It is being counted for the first time: ask again.",
        [
            Field("counting", .named("CountingProgress"))
        ])

    static let variantResults = NamedSchema(
        "VariantResults",
        "The results of one variant.",
        [
            Field("id", .text, "The variant.", example: "half"),
            Field("name", .text, "Its name, or its id where it has none.", example: "Half price"),
            Field("weight", .integer(0...), "Its share in basis points.", example: 5000),
            Field("exposed", .integer(0...), "Units exposed, those whose window is open included.", example: 4118),
            Field("matured", .integer(0...), "Of these, units whose window is over.", example: 3902),
            Field("signed", .integer(0...), "Units exposed that were given a signature.", example: 1034),
            Field("redeemed", .integer(0...), "Units exposed that redeemed an offer of the variant.", example: 418),
            Field("converted", .integer(0...), "Matured units that reached the goal and were not refunded.", example: 252),
            Field(
                "refunded", .integer(0...),
                "Matured units that reached the goal with nothing but what was refunded.",
                example: 5),
            Field(
                "retentionOffers", .integer(0...),
                "Matured units that redeemed one of Apple's own retention offers.",
                example: 0),
            Field(
                "unknownPrices", .integer(0...),
                "Matured units that bought something of which it is not known what was paid. It is in no revenue.",
                example: 0),
            Field("conversion", .named("Conversion")),
            Field("revenue", .list(.named("RevenueEstimate")), "A place for each currency."),
            Field(
                optional: "difference",
                .object([
                    Field("value", .number, "The difference.", example: .number("0.03")),
                    Field("low", .number, "Lower end.", example: .number("0.01")),
                    Field("high", .number, "Upper end.", example: .number("0.05")),
                ]),
                """
                Its rate less the control's, with the interval that the verdict goes by. Left out for the control and where \
                nothing may be compared.
                """),
            Field(
                optional: "chanceToBeatControl", .number,
                "The chance that its true rate is above the control's. Left out like `difference`.",
                example: .number("0.993")),
            Field(
                optional: "newcombe",
                .object([
                    Field("low", .number, "Lower end.", example: .number("0.01")),
                    Field("high", .number, "Upper end.", example: .number("0.05")),
                ]),
                """
                Newcombe's 95 % interval of the difference, for one look, not corrected for several variants. Left out like \
                `difference`.
                """),
            Field(
                optional: "zTest",
                .object([
                    Field("z", .number, "Standard errors.", example: .number("2.7")),
                    Field("p", .number, "Two-sided.", example: .number("0.007")),
                ]),
                "The z test with a pooled rate, for one look, not corrected. Left out like `difference`."),
            Field(
                optional: "sequentialP", .number,
                """
                The p-value that holds for any number of looks, not corrected. Left out like `difference`, and for a fixed \
                horizon.
                """,
                example: .number("0.03")),
        ])

    static let pairResults = NamedSchema(
        "PairResults",
        "Two variants compared by how often their units reach the goal, and by what they pay.",
        [
            Field("base", .text, "The id of the variant that the other one is compared with.", example: "half"),
            Field("variant", .text, "The id of the other variant.", example: "upfront"),
            Field(
                optional: "difference",
                .object([
                    Field("value", .number, "The difference.", example: .number("-0.03")),
                    Field("low", .number, "Lower end.", example: .number("-0.06")),
                    Field("high", .number, "Upper end.", example: .number("0.01")),
                ]),
                """
                The variant's rate minus the base's, corrected for the number of pairs. Of two variants with an offer, one is better \
                only if it is also better than the control. Left out if there is too little data.
                """),
            Field(
                optional: "revenue",
                .object([
                    Field("currency", .text, "ISO 4217.", example: "USD"),
                    Field("value", .number, "The difference.", example: .number("4.12")),
                    Field("low", .number, "Lower end.", example: .number("1.3")),
                    Field("high", .number, "Upper end.", example: .number("6.94")),
                ]),
                """
                What a matured unit of the variant pays minus what one of the base pays, corrected for the number of pairs. The \
                interval holds for any number of looks. Left out if there is too little data, and if not all payments are known in \
                one currency.
                """),
        ])

    static let holdoutResults = NamedSchema(
        "HoldoutResults",
        "What held-out customers did. They are not compared with others.",
        [
            Field("exposed", .integer(0...), "Units exposed, those whose window is open included.", example: 4118),
            Field("matured", .integer(0...), "Of these, units whose window is over.", example: 3902),
            Field("signed", .integer(0...), "Units exposed that were given a signature.", example: 1034),
            Field("redeemed", .integer(0...), "Units exposed that redeemed an offer of the variant.", example: 418),
            Field("converted", .integer(0...), "Matured units that reached the goal and were not refunded.", example: 252),
            Field(
                "refunded", .integer(0...),
                "Matured units that reached the goal with nothing but what was refunded.",
                example: 5),
            Field(
                "retentionOffers", .integer(0...),
                "Matured units that redeemed one of Apple's own retention offers.",
                example: 0),
            Field(
                "unknownPrices", .integer(0...),
                "Matured units that bought something of which it is not known what was paid. It is in no revenue.",
                example: 0),
            Field("conversion", .named("Conversion")),
        ])

    static let segmentResults = NamedSchema(
        "SegmentResults",
        "The results of a part of the units: a hint, never a verdict.",
        [
            Field(
                "dimension", .known("storefront", "appVersion", "caller"),
                "What the parts are made by.",
                example: "storefront"),
            Field(
                "value", .text,
                "Its value; `unknown` where it was not known, `other` for values outside the ten most frequent.",
                example: "USA"),
            Field(
                "sampleRatio",
                .object([
                    Field("p", .number, "Corrected for the number of parts.", example: 1),
                    Field("isOff", .flag, "Whether it is not."),
                ]),
                "Whether the part is split as planned."),
            Field(
                "variants",
                .list(
                    .object([
                        Field("id", .text, "The variant.", example: "half"),
                        Field("exposed", .integer(0...), "Units exposed.", example: 900),
                        Field("matured", .integer(0...), "Of these, units whose window is over.", example: 850),
                        Field(
                            "converted", .integer(0...), "Matured units that reached the goal and were not refunded.", example: 71
                        ),
                        Field(
                            optional: "difference",
                            .object([
                                Field("value", .number, "The difference.", example: .number("0.03")),
                                Field("low", .number, "Lower end.", example: .number("0.01")),
                                Field("high", .number, "Upper end.", example: .number("0.05")),
                            ]),
                            "Corrected for the number of comparisons."),
                        Field(optional: "p", .number, "Corrected by Holm's method.", example: .number("0.2")),
                    ]).with("description", "One variant.")),
                "The control first."),
        ])

    static let campaignResults = NamedSchema(
        "CampaignResults",
        "The results of a campaign.",
        [
            Field(
                "verdict",
                .object([
                    Field(
                        "code", .known("winner", "no-difference", "no-verdict-yet", "too-little-data", "sample-ratio-mismatch"),
                        "Which verdict.",
                        example: "winner"),
                    Field("sentence", .text, "The same for people."),
                    Field(optional: "variant", .text, "The winner.", example: "half"),
                    Field(optional: "caution", .text, "What speaks against doing what the verdict suggests."),
                    Field("moneyDisagrees", .flag, "Whether another variant than the winner earns more per unit so far."),
                ]),
                "What has been shown."),
            Field("method", .text, "In the field's terms."),
            Field("asOf", .integer(0...), "The instant of the counts.", example: 1_795_000_000_000),
            Field(
                "revisions",
                .object([
                    Field("from", .integer(0...), "The first.", example: 2),
                    Field("to", .integer(0...), "The last.", example: 4),
                ]),
                "Which revisions were counted together."),
            Field(
                "goal",
                .object([
                    Field(
                        "metric", .known("subscribed", "retained", "redeemed", "converted-to-paid", "revenue"),
                        "What counts. With `revenue` the verdict rests on `pairs[].revenue`, and otherwise on the differences of rates.",
                        example: "subscribed"),
                    Field("window", .text, "ISO 8601.", example: "P14D"),
                    Field(optional: "currency", .text, "For `revenue`: ISO 4217.", example: "USD"),
                    Field(
                        optional: "cap", .number, "For `revenue`: the most that one unit's payments count.",
                        example: .number("50")),
                    Field(optional: "expected", .number, "The control's share as it was expected.", example: .number("0.1")),
                    Field(optional: "detect", .number, "The smallest difference worth knowing.", example: .number("0.02")),
                    Field(
                        optional: "standardDeviation", .number, "For `revenue`: how much payments were expected to vary.",
                        example: .number("3.2")),
                ]),
                "What counts, and within which time."),
            Field("variants", .list(.named("VariantResults")), "The control first."),
            Field(
                "pairs", .list(.named("PairResults")),
                "Every variant compared with every other; empty if the units are not split as planned."),
            Field("holdout", .named("HoldoutResults")),
            Field("revenue", .named("RevenueReport")),
            Field(
                "sampleRatio",
                .object([
                    Field("p", .number, "Holds for any number of looks.", example: .number("0.86")),
                    Field("isOff", .flag, "Whether they are not: then there is no verdict, and nothing is compared."),
                    Field(
                        "expected", .list(.number.with("description", "Units.").with("examples", JSONValue(json: #"[4132.0]"#))),
                        "Units that each variant would have."),
                    Field(
                        "observed", .list(.integer(0...).with("description", "Units.").with("examples", [4118])),
                        "Units that it has."),
                ]),
                "Whether units are split as planned."),
            Field(
                optional: "daysNeeded", .integer(0...),
                "Days until there is probably a verdict. Left out if there is one, if that is not known, and if the test ends before.",
                example: 15),
            Field(
                optional: "unitsNeeded", .integer(0...),
                "How many units the verdict probably needs. Left out unless `expected` and `detect` are named.",
                example: 6895),
            Field(
                "setAside",
                .object([
                    Field("twoVariants", .integer(0...), "They saw two variants, or one and were held out.", example: 3),
                    Field(
                        "earlierRevisions", .integer(0...),
                        "They were exposed before the campaign asked what it asks now.",
                        example: 0),
                    Field("unreadable", .integer(0...), "Their purchases cannot be read.", example: 0),
                ]),
                "Units in no count."),
            Field("segments", .list(.named("SegmentResults")), "Parts of the units."),
            Field(
                "days",
                .list(
                    .object([
                        Field("until", .integer(0...), "Its end.", example: 1_795_000_000_000),
                        Field(
                            "matured", .list(.integer(0...).with("description", "Units.").with("examples", [62])),
                            "The control first."),
                        Field(
                            "converted", .list(.integer(0...).with("description", "Units.").with("examples", [5])),
                            "The control first."),
                    ]).with("description", "One day.")),
                "For a chart: what had matured by the end of each day (UTC), and what is known of that today."),
            Field(optional: "counting", .named("CountingProgress")),
            Field("rehearsal", .named("Rehearsal")),
        ])

    static let exportedAssignment = NamedSchema(
        "ExportedAssignment",
        "A line: one unit with its outcome. Flags add up to the counts of the results.",
        [
            Field(
                "unit", .text,
                "Stands for the unit in this campaign: SHA-256 of `<campaign>:export:<unit>`, the first 16 bytes.",
                example: "5f0c7a0ac1f3b8d2f19b6a3d0a4e8c11"),
            Field("variant", .text.orNull, "The variant, or `holdout`; null for a unit that saw several.", example: "half"),
            Field(
                "setAside", .known("two-variants", "earlier-revision", "unreadable").orNull,
                "Why it is in no count; null if it is.",
                example: "two-variants"),
            Field("exposedAt", .integer(0...), "First exposure.", example: 1_795_000_000_000),
            Field(
                "windowEndsAt", .integer(0...).orNull,
                "When its window is over; null where nothing can be read.",
                example: 1_795_000_000_000),
            Field("matured", .flag, "Whether it is."),
            Field("signed", .flag, "Whether it was given a signature."),
            Field("redeemed", .flag, "Whether it redeemed an offer of its variant."),
            Field("converted", .flag, "Matured, reached the goal and not refunded."),
            Field("refunded", .flag, "Matured, and reached the goal with nothing but what was refunded."),
            Field(
                "convertedAt", .integer(0...).orNull,
                "When it reached the goal, its window over or not.",
                example: 1_795_000_000_000),
            Field("redeemedAt", .integer(0...).orNull, "When it redeemed the offer.", example: 1_795_000_000_000),
            Field("retentionOffer", .flag, "Matured, and redeemed one of Apple's own retention offers."),
            Field("unknownPrice", .flag, "Matured, and bought something at an unknown price."),
            Field(
                "revenue", .map(.number),
                "What it paid by currency, once matured.",
                example: JSONValue(json: #"{"USD": 9.99}"#)),
            Field("over30", .flag, "Whether 30 days have passed since its first exposure."),
            Field("unknownPrice30", .flag, "They have, and it bought something at an unknown price within them."),
            Field(
                "revenue30", .map(.number),
                "What it paid within them by currency, once they are over.",
                example: JSONValue(json: #"{"USD": 19.98}"#)),
            Field("over90", .flag, "Whether 90 days have passed since its first exposure."),
            Field("unknownPrice90", .flag, "They have, and it bought something at an unknown price within them."),
            Field(
                "revenue90", .map(.number),
                "What it paid within them by currency, once they are over.",
                example: JSONValue(json: #"{"USD": 19.98}"#)),
        ])
}
