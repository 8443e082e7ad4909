import WireText

/// Masks what identifies a customer in an event, for people who look at deliveries.
enum EventMask {
    private static let names: Set<String> = [
        "customerId", "previousCustomerId", "appAccountToken", "applicationUsername", "appTransactionId", "transactionId",
        "originalTransactionId",
    ]

    /// Returns the last characters of an id, behind dots; of a short one, dots alone.
    static func masked(_ id: String) -> String { "…" + (id.count > 8 ? id.suffix(4) : "") }

    /// Returns a body with masked ids; an empty object if it is not JSON.
    static func masked(_ body: [UInt8]) -> [UInt8] {
        ((try? JSONValue(parsing: body)).map(masked) ?? .object([])).bytes
    }

    private static func masked(_ value: JSONValue) -> JSONValue {
        switch value {
        case .array(let elements): .array(elements.map(masked))
        case .object(let members):
            .object(
                members.map { member in
                    guard names.contains(member.name), case .string(let id) = member.value else {
                        return JSONValue.Member(name: member.name, value: masked(member.value))
                    }
                    return JSONValue.Member(name: member.name, value: .string(masked(id)))
                })
        default: value
        }
    }
}
