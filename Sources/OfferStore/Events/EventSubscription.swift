/// The events that an endpoint receives.
public struct EventSubscription: Equatable, Sendable {
    /// The endpoint's name in the configuration.
    public let endpoint: String
    /// The types of event.
    ///
    /// An entry that ends in `*` stands for all types that begin with the text before it.
    public let types: [String]
    /// The apps' bundle ids.
    ///
    /// Nil stands for all apps, and for the events that belong to no app.
    public let apps: Set<String>?

    /// Stores the given values without checking them.
    public init(endpoint: String, types: [String], apps: Set<String>? = nil) {
        self.endpoint = endpoint
        self.types = types
        self.apps = apps
    }

    /// Whether the endpoint receives an event.
    package func includes(_ event: ServiceEvent) -> Bool {
        if let apps {
            guard let partition = event.partition, apps.contains(partition.bundleID) else { return false }
        }
        return types.contains { Self.isNamed(event.type, by: $0) }
    }

    /// Whether an entry of `types` names a type.
    package static func isNamed(_ type: String, by entry: String) -> Bool {
        entry == type || (entry.hasSuffix("*") && type.hasPrefix(entry.dropLast()))
    }
}
