/// Why a request about events is refused.
package enum EventError: Error, Equatable {
    /// There is no such delivery, or none that the caller may see.
    case unknownDelivery(String)
    /// The configuration has no endpoint of this name.
    case unknownEndpoint(String)
    /// A caller for some apps may not act on an endpoint, which is for others, too.
    case notAllowed
}

extension EventError: CustomStringConvertible {
    /// A sentence with a remedy.
    package var description: String {
        switch self {
        case .unknownDelivery(let number): "there is no delivery \(number); those that are done are kept for events.keep"
        case .unknownEndpoint(let name): "the configuration has no endpoint \(name) under events.endpoints"
        case .notAllowed: "this access key is for some apps, and the endpoint receives events of others, too"
        }
    }
}
