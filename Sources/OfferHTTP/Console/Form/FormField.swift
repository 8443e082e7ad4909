import OfferService
import WireText

/// A field of a campaign as the editor's form has it.
///
/// The inputs, the lists of changes and the texts of faults all use the names that are declared here.
struct FormField: Sendable {
    /// How a value is typed, and how a draft keeps it.
    enum Kind: Equatable, Sendable {
        case text
        /// A longer text. The draft leaves it out if it consists only of white space.
        case prose
        /// A text that the draft keeps even if it is empty.
        case required
        /// Words with spaces or commas between them. The draft keeps them as a list.
        case words
        /// A number. In the draft, the decimal point is this many places further to the right than in the form. A percentage, for
        /// example, is kept in basis points.
        case number(by: Int)
        /// Yes or no. The draft leaves out a no.
        case flag
        /// A number and a unit. The form sends the unit under the field's id followed by `-unit`.
        case period
        /// A date and a time. `CampaignForm` reads them, because that needs a time zone.
        case moment
    }

    /// The id of the input, and also the name under which the form sends its value.
    let id: String
    /// The path of the field in the campaign's JSON, such as `goal.window`.
    let path: String
    /// The label of the input.
    let label: String
    /// The name of the field in a list of changes.
    let told: String
    let kind: Kind
    /// The value that the input shows if the draft has none.
    let initial: String

    private init(
        _ id: String,
        at path: String? = nil,
        _ label: String,
        told: String? = nil,
        _ kind: Kind = .text,
        initial: String = ""
    ) {
        (self.id, self.path, self.label, self.kind, self.initial) = (id, path ?? id, label, kind, initial)
        self.told = told ?? label
    }

    static let name = FormField("name", "Name", .required)
    static let id = FormField("id", "Id", .required)
    static let hypothesis = FormField("hypothesis", "What do you expect, and why?", told: "What we expect", .prose)
    static let tags = FormField("tags", "Tags", .words)
    static let metric = FormField("metric", at: "goal.metric", "What counts as success", .required, initial: "subscribed")
    static let window = FormField("window", at: "goal.window", "Success within", .period, initial: "P14D")
    static let expected = FormField("expected", at: "goal.expected", "Expected without an offer", .number(by: -2))
    static let detect = FormField("detect", at: "goal.detect", "Smallest difference worth knowing", .number(by: -2))
    static let currency = FormField("currency", at: "goal.currency", "Currency")
    static let standardDeviation = FormField(
        "standardDeviation", at: "goal.standardDeviation", "How much payments vary", .number(by: 0))
    static let cap = FormField("cap", at: "goal.cap", "One customer counts at most", .number(by: 0))
    static let customersPerDay = FormField(
        "customersPerDay", at: "goal.customersPerDay", "Customers a day", .number(by: 0))
    static let method = FormField("method", at: "analysis.method", "Read the result", .required, initial: "sequential")
    static let again = FormField("again", at: "introductory.again", "Introductory offers again", .flag)
    static let sampleSize = FormField(
        "sampleSize", at: "analysis.sampleSize", "After how many customers", .number(by: 0))
    static let from = FormField("from", at: "schedule.from", "Starts", .moment)
    static let until = FormField("until", at: "schedule.until", "Ends", .moment)
    static let placement = FormField("placement", "Where in the app")
    static let unit = FormField("unit", "What counts as one customer", .required, initial: "customer")
    static let perCustomer = FormField("perCustomer", at: "limits.perCustomer", "Per customer", .number(by: 0))
    static let per = FormField("per", at: "limits.per", "Per customer, within", .period)
    static let total = FormField("total", at: "limits.total", "In total", .number(by: 0))
    static let enrolment = FormField("enrolment", "Let in", .number(by: 2), initial: "10000")
    static let holdout = FormField("holdout", "Hold out", .number(by: 2))
    static let exclusionGroup = FormField("exclusionGroup", "Never together with")
    static let priority = FormField("priority", "Priority", .number(by: 0))

    /// The fields before the audience and the variants, in the order of the form.
    static let before = [
        name, id, hypothesis, tags, metric, window, currency, expected, detect, standardDeviation, cap, customersPerDay, method,
        sampleSize,
    ]
    /// The fields after the audience and the variants, in the order of the form.
    static let after = [
        again, from, until, placement, unit, perCustomer, per, total, enrolment, holdout, exclusionGroup, priority,
    ]
    static let all = before + after

    private static let detectedMoney = FormField("detect", at: "goal.detect", "Smallest difference worth knowing", .number(by: 0))

    /// Returns the field as it is with a goal's metric: for `revenue` the smallest difference is an amount of money, and otherwise a
    /// percentage.
    func with(metric: String) -> FormField { id == Self.detect.id && metric == "revenue" ? .detectedMoney : self }

    /// Returns the field at a path of the campaign's JSON; nil if none of the fields here is at that path.
    static func at(_ path: String) -> FormField? { all.first { $0.path == path } }

    /// Returns a draft's value as a user would type it.
    func typed(_ value: JSONValue?) -> String {
        switch kind {
        case .words:
            if case .array(let all)? = value { return all.map { FormValue.shown($0) }.joined(separator: " ") }
            return ""
        case .number(let places): return FormValue.shown(value ?? .number(initial), by: places)
        case .flag: return value == .bool(true) ? "yes" : value == nil ? "" : FormValue.shown(value)
        case .text, .prose, .required, .period, .moment: return FormValue.shown(value ?? .string(initial))
        }
    }

    /// Returns typed text as a draft keeps it; nil if the draft leaves the field out.
    func kept(_ typed: String) -> JSONValue? {
        switch kind {
        case .text, .period, .moment: return FormValue.text(typed)
        case .flag: return typed == "yes" ? .bool(true) : FormValue.text(typed)
        case .prose: return FormValue.text(typed.trimmed.isEmpty ? "" : typed)
        case .required: return .string(typed)
        case .number(let places): return FormValue.number(typed, by: places)
        case .words:
            let words = typed.split { $0.isWhitespace || $0 == "," }
            return words.isEmpty ? nil : .texts(words.map(String.init))
        }
    }
}
