package import EligibilityRules
package import WireText

extension Segment {
    /// Reads a segment as marketing writes it. The path of a fault begins with a field of the segment.
    package init(json: JSONValue, _ notation: DocumentNotation = .json) throws(CampaignFaults) {
        self = try DocumentReading.read(notation) { Segment(json, at: "", $0) }
    }

    init?(_ json: JSONValue, at path: String, _ reading: DocumentReading) {
        guard let fields = DocumentFields(json, at: path, known: ["id", "name", "condition", "version"], reading) else {
            return nil
        }
        fields.require("condition", "a condition, such as {fact: refunds.count, is: 0}")
        let condition = fields.value("condition").flatMap { Condition($0, at: fields.path("condition"), reading) }
        self.init(
            id: fields.text("id"), name: fields.text("name"), condition: condition ?? .any([]),
            version: fields.integer("version"))
    }

    /// The segment as JSON. Equal segments give the same bytes.
    package var json: JSONValue {
        .members([
            "id": .string(id), "name": .string(name), "condition": condition.json,
            "version": version.map { .integer($0) },
        ])
    }
}
