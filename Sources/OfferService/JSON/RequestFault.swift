package import WireText

/// One field of a request and what is wrong with it.
package struct FieldFault: Equatable, Sendable {
    /// A path such as `offers[0].productId`.
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
