package import EligibilityRules
package import WireText

extension Condition {
    private static let kinds = ["all", "any", "not", "segment", "fact", "attribute"]
    /// The maximum depth of nested groups in a text. The limit for publishing is much lower.
    private static let maxDepth = 64

    /// Reads a condition that stands alone. The path of a fault begins with `path`.
    package init(json: JSONValue, at path: String) throws(CampaignFaults) {
        self = try DocumentReading.read(.json) { Condition(json, at: path, $0) }
    }

    /// Nil after a fault, which `reading` records.
    init?(_ json: JSONValue, at path: String, _ reading: DocumentReading, depth: Int = 1) {
        guard depth <= Condition.maxDepth else {
            reading.refuse(path, "is nested more than \(Condition.maxDepth) deep: split it up")
            return nil
        }
        let said = Condition.kinds.filter { json.member($0) != nil }
        guard let kind = said.first, said.count == 1 else {
            reading.refuse(path, Condition.fault(json, said))
            return nil
        }
        guard kind != "fact", kind != "attribute" else {
            guard let test = ConditionTest(json, kind, at: path, reading) else { return nil }
            self = .test(test)
            return
        }
        guard let fields = DocumentFields(json, at: path, known: [kind], reading) else { return nil }
        switch kind {
        case "all": self = .all(fields.list("all") { Condition($0, at: $1, reading, depth: depth + 1) })
        case "any": self = .any(fields.list("any") { Condition($0, at: $1, reading, depth: depth + 1) })
        case "not":
            let part = fields.value("not").flatMap { Condition($0, at: fields.path("not"), reading, depth: depth + 1) }
            guard let part else { return nil }
            self = .not(part)
        default: self = .segment(fields.text("segment"))
        }
    }

    private static func fault(_ json: JSONValue, _ said: [String]) -> String {
        guard case .object = json else {
            return "must be a condition, such as {fact: refunds.count, is: 0}, not \(DocumentReading.kind(json))"
        }
        guard !said.isEmpty else { return "is not a condition: give it one of the keys \(kinds.joined(separator: ", "))" }
        return "has \(said.joined(separator: " and ")) at once: make a condition of each, and put them into a list of all or any"
    }

    /// The condition in the form in which marketing writes it.
    var json: JSONValue {
        switch self {
        case .all(let parts): .members(["all": .array(parts.map(\.json))])
        case .any(let parts): .members(["any": .array(parts.map(\.json))])
        case .not(let part): .members(["not": part.json])
        case .segment(let id): .members(["segment": .string(id)])
        case .test(let test): test.json
        }
    }
}
