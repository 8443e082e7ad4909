package import WireText

/// One field of a request and what is wrong with it.
package struct FieldFault: Equatable, Sendable {
    /// The path of the field, such as `offers[0].productId`.
    package let name: String
    package let reason: String

    package init(name: String, reason: String) {
        self.name = name
        self.reason = reason
    }
}

/// Why a request's body cannot be used.
package enum RequestFault: Error, Equatable {
    case malformed(JSONParser.Fault)
    case unknownFields([FieldFault])
    case invalidFields([FieldFault])
}

/// How long a text may be that a person writes, such as a reason or a note.
///
/// The use cases check it, so that the same limit applies in the API, the console and the commands.
package struct TextLimit: Sendable {
    /// The note that says what an access key is for.
    package static let accessNote = TextLimit(field: "note", characters: 200)
    /// The note that says who a tester of a campaign is.
    package static let testerNote = TextLimit(field: "note", characters: 200)
    /// The reason for a change, or a note on a campaign.
    package static let reason = TextLimit(field: "reason", characters: 500)

    /// The name of the field that holds the text.
    package let field: String
    /// The maximum number of Unicode scalars.
    package let characters: Int

    /// What is wrong with a text; nil if nothing is. The length is counted in Unicode scalars.
    package func fault(of text: String) -> FieldFault? {
        // PostgreSQL cannot store a text with this character.
        if text.utf8.contains(0) { return FieldFault(name: field, reason: "contains U+0000") }
        guard text.utf8.count > characters, text.unicodeScalars.count > characters else { return nil }
        return FieldFault(
            name: field, reason: "must be at most \(characters) characters; it has \(text.unicodeScalars.count)")
    }
}
