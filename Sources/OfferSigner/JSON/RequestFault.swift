import WireText

/// One field of a request and what is wrong with it.
struct FieldFault: Equatable, Sendable {
    /// A path such as `offers[0].productId`.
    let name: String
    let reason: String
}

/// Why a request's body cannot be used.
enum RequestFault: Error, Equatable {
    case malformed(JSONParser.Fault)
    case unknownFields([FieldFault])
    case invalidFields([FieldFault])
}
