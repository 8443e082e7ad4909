import Testing

/// A document that cannot be read, and the fault that is reported.
struct CampaignFaultRow: CustomTestStringConvertible {
    let json: String
    let expected: [String]

    var testDescription: String { expected.joined(separator: "; ") }

    private init(document json: String, _ expected: String...) { (self.json, self.expected) = (json, expected) }

    /// A campaign that is right but for one more field.
    private init(_ field: String, _ expected: String...) {
        let isVariants = field.hasPrefix(#""variants""#)
        let variants = isVariants ? "" : #","variants":[{"id":"a","weight":10000}]"#
        json = #"{"campaigns":[{"id":"i","name":"n","bundleId":"b",\#(field)\#(variants)}]}"#
        self.expected = expected.map { "campaigns[0].\($0)" }
    }

    /// The same with an audience.
    private static func audience(_ condition: String, _ expected: String...) -> CampaignFaultRow {
        CampaignFaultRow(
            document: #"{"campaigns":[{"id":"i","name":"n","bundleId":"b","audience":\#(condition),"#
                + #""variants":[]}]}"#, expected: expected.map { "campaigns[0].audience\($0)" })
    }

    private init(document json: String, expected: [String]) { (self.json, self.expected) = (json, expected) }

    private static let fields =
        "id, name, hypothesis, tags, bundleId, placement, priority, exclusionGroup, schedule, unit, enrolment, holdout, audience, segments, limits, variants, introductory, goal, analysis"
    private static let operators =
        "is, oneOf, above, below, between, exists, startsWith, contains, versionAtLeast, before, after"

    static let all: [CampaignFaultRow] = documents + campaigns + conditions

    private static let documents = [
        CampaignFaultRow(document: "{}", "campaigns: is missing: give a list of campaigns, or of segments"),
        CampaignFaultRow(document: "[]", ": must have keys of its own: campaigns, segments"),
        CampaignFaultRow(
            document: #"{"campaign":[]}"#, "campaign: is not known here: correct the name to one of campaigns, segments",
            "campaigns: is missing: give a list of campaigns, or of segments"),
        CampaignFaultRow(
            document: #"{"campaigns":{}}"#,
            "campaigns: must be a list, not keys of its own: begin each element with a hyphen"),
        CampaignFaultRow(
            document: #"{"campaigns":null}"#, "campaigns: is empty: give it a value, or remove the line"),
        CampaignFaultRow(document: #"{"campaigns":["x"]}"#, "campaigns[0]: must have keys of its own: \(fields)"),
        CampaignFaultRow(
            document: #"{"campaigns":[{}]}"#, "campaigns[0].id: is missing: give a text",
            "campaigns[0].name: is missing: give a text", "campaigns[0].bundleId: is missing: give a text",
            "campaigns[0].variants: is missing: give a list of variants, each with id and weight"),
        CampaignFaultRow(
            document: #"{"segments":[{"x":1}]}"#,
            "segments[0].x: is not known here: correct the name to one of id, name, condition, version",
            "segments[0].condition: is missing: give a condition, such as {fact: refunds.count, is: 0}",
            "segments[0].id: is missing: give a text", "segments[0].name: is missing: give a text"),
    ]

    private static let campaigns = [
        CampaignFaultRow(#""colour":1"#, "colour: is not known here: correct the name to one of \(fields)"),
        CampaignFaultRow(#""placement":5"#, "placement: must be a text: put it in quotes"),
        CampaignFaultRow(#""placement":true"#, "placement: must be a text: put it in quotes"),
        CampaignFaultRow(#""placement":["x"]"#, "placement: must be a text, not a list"),
        CampaignFaultRow(#""placement":null"#, "placement: is empty: give it a value, or remove the line"),
        CampaignFaultRow(#""priority":"10""#, "priority: must be a whole number: remove the quotes"),
        CampaignFaultRow(#""priority":1.5"#, "priority: must be a whole number, not 1.5"),
        CampaignFaultRow(#""priority":1e30"#, "priority: must be a whole number, not 1e30"),
        CampaignFaultRow(#""enrolment":"50 %""#, "enrolment: must be a whole number, not a text"),
        CampaignFaultRow(#""holdout":false"#, "holdout: must be a whole number, not true or false"),
        CampaignFaultRow(#""unit":"person""#, "unit: must be one of customer, appTransaction, originalTransaction"),
        CampaignFaultRow(#""schedule":"now""#, "schedule: must have keys of its own: from, until"),
        CampaignFaultRow(
            #""schedule":{"to":"2026-03-01"}"#, "schedule.to: is not known here: correct the name to one of from, until"),
        CampaignFaultRow(
            #""schedule":{"from":"1 March","until":"P3D"}"#,
            "schedule.from: must be a time in UTC such as 2026-03-01T09:00:00Z, or a date such as 2026-03-01",
            "schedule.until: must be a time in UTC such as 2026-03-01T09:00:00Z, or a date such as 2026-03-01"),
        CampaignFaultRow(
            #""limits":{"per":"90 days","daily":1}"#,
            "limits.daily: is not known here: correct the name to one of perCustomer, per, total",
            "limits.per: must be a period: P, a number from 1 to 9999, and D, W, M or Y, as in P90D for 90 days"),
        CampaignFaultRow(#""limits":{"total":"many"}"#, "limits.total: must be a whole number, not a text"),
        CampaignFaultRow(
            #""goal":{"metric":"clicks"}"#,
            "goal.metric: must be one of subscribed, retained, redeemed, converted-to-paid, revenue"),
        CampaignFaultRow(#""goal":{"expected":"0.1"}"#, "goal.expected: must be a number: remove the quotes"),
        CampaignFaultRow(#""goal":{"detect":"much"}"#, "goal.detect: must be a number, not a text"),
        CampaignFaultRow(#""goal":{"detect":1e999}"#, "goal.detect: is out of range: give a smaller number"),
        CampaignFaultRow(
            #""variants":[7]"#,
            "variants[0]: must have keys of its own: id, name, weight, offers, introductoryOffer, link, switchTo, message"),
        CampaignFaultRow(#""variants":[{"id":"a"}]"#, "variants[0].weight: is missing: give basis points: 5000 is 50 %"),
        CampaignFaultRow(
            #""variants":[{"id":"a","weight":1},{"id":"b","weight":1,"offers":[{"productId":"p","offerID":"o"}]}]"#,
            "variants[1].offers[0].offerID: is not known here: correct the name to one of productId, offerId",
            "variants[1].offers[0].offerId: is missing: give a text"),
    ]

    private static let conditions = [
        audience("null", ": is empty: give it a value, or remove the line"),
        audience(#""everybody""#, ": must be a condition, such as {fact: refunds.count, is: 0}, not a text"),
        audience("{}", ": is not a condition: give it one of the keys all, any, not, segment, fact, attribute"),
        audience(
            #"{"all":[],"any":[]}"#,
            ": has all and any at once: make a condition of each, and put them into a list of all or any"),
        audience(#"{"all":[],"is":1}"#, ".is: is not known here: correct the name to one of all"),
        audience(#"{"all":{"fact":"f","is":1}}"#, ".all: must be a list, not keys of its own: begin each element with a hyphen"),
        audience(#"{"not":[]}"#, ".not: must be a condition, such as {fact: refunds.count, is: 0}, not a list"),
        audience(#"{"not":null}"#, ".not: is empty: give it a value, or remove the line"),
        audience(#"{"segment":7}"#, ".segment: must be a text: put it in quotes"),
        audience(
            #"{"any":[{"fact":"f"}]}"#, ".any[0]: does not say how to compare: give it one of the keys \(operators)"),
        audience(
            #"{"fact":"f","above":1,"below":3}"#,
            ": compares with above and below at once: make a condition of each, and put them into a list of all"),
        audience(
            #"{"fact":"f","equals":1,"is":1}"#, ".equals: is not known here: correct the name to one of fact, group, \(operators)"
        ),
        audience(
            #"{"attribute":"a","group":"1","is":1}"#,
            ".group: is not known here: correct the name to one of attribute, \(operators)"),
        audience(#"{"fact":"f","group":20563228,"is":1}"#, ".group: must be a text: put it in quotes"),
        audience(#"{"fact":"f","is":null}"#, ".is: is empty: give it a value, or remove the line"),
        audience(#"{"fact":"f","is":{}}"#, ".is: must be a text, a number, or true or false, not keys of its own"),
        audience(#"{"fact":"f","oneOf":["a",["b"]]}"#, ".oneOf[1]: must be a text, a number, or true or false, not a list"),
        audience(#"{"fact":"f","above":-1e999}"#, ".above: is out of range: give a smaller number"),
    ]
}
