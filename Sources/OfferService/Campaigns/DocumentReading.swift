import WireText

/// One reading of a document: its notation and its faults.
final class DocumentReading {
    let notation: DocumentNotation
    private(set) var faults: [FieldFault] = []

    init(_ notation: DocumentNotation) { self.notation = notation }

    /// Records a fault at a place in the document.
    func refuse(_ path: String, _ reason: String) { faults.append(FieldFault(name: path, reason: reason)) }

    /// What `read` makes of a whole document. Throws all faults together if there are any.
    static func read<Value>(
        _ notation: DocumentNotation,
        _ read: (DocumentReading) -> Value?
    ) throws(CampaignFaults) -> Value {
        let reading = DocumentReading(notation)
        let value = read(reading)
        guard let value, reading.faults.isEmpty else { throw CampaignFaults(faults: reading.faults) }
        return value
    }

    /// Reads a text; nil after a fault.
    func text(_ value: JSONValue, at path: String) -> String? {
        switch value {
        case .string(let text): return text
        case .number(let spelling) where notation == .yaml: return spelling
        case .number, .bool: refuse(path, "must be a text: put it in quotes")
        default: refuse(path, "must be a text, not \(DocumentReading.kind(value))")
        }
        return nil
    }

    /// Reads a whole number; nil after a fault.
    func integer(_ value: JSONValue, at path: String) -> Int? {
        switch value {
        case .number(let spelling):
            // JSON does not distinguish 1 from 1.0 or 1e0, and some programs write a whole number in these forms.
            if let number = Int(spelling) ?? Double(spelling).flatMap(Int.init(exactly:)) { return number }
            refuse(path, "must be a whole number, not \(spelling)")
        case .string(let text) where Int(text) != nil: refuse(path, "must be a whole number: remove the quotes")
        default: refuse(path, "must be a whole number, not \(DocumentReading.kind(value))")
        }
        return nil
    }

    /// Reads a finite number; nil after a fault.
    func number(_ value: JSONValue, at path: String) -> Double? {
        switch value {
        case .number(let spelling):
            if let number = Double(spelling), number.isFinite { return number }
            refuse(path, "is out of range: give a smaller number")
        case .string(let text) where Double(text) != nil: refuse(path, "must be a number: remove the quotes")
        default: refuse(path, "must be a number, not \(DocumentReading.kind(value))")
        }
        return nil
    }

    /// The kind of a value in everyday words, for the text of a fault.
    static func kind(_ value: JSONValue) -> String {
        switch value {
        case .null: "nothing"
        case .bool: "true or false"
        case .number: "a number"
        case .string: "a text"
        case .array: "a list"
        case .object: "keys of its own"
        }
    }
}
