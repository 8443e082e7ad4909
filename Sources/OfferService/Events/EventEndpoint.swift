package import OfferSigning
package import OfferStore

/// One of the company's own systems that receives events, as configured.
package struct EventEndpoint: Sendable {
    /// The name of the endpoint in the configuration.
    package let name: String
    /// The URL. It must not appear in logs and pages, because it may contain a secret, as the webhook URLs of many chat systems
    /// do.
    package let url: String
    /// The types of events that the endpoint receives.
    ///
    /// A type that ends in `*` stands for all types with this beginning.
    package let types: [String]
    /// The bundle ids of the apps whose events the endpoint receives; nil for all apps, and for events that are about no app.
    package let apps: Set<String>?
    /// The secrets. Every request has one signature for each of them.
    package let secrets: [WebhookSecret]
    /// Whether the endpoint may have a private address, such as one in the service's own network.
    package let allowsPrivateAddresses: Bool

    package init(
        name: String,
        url: String,
        types: [String],
        apps: Set<String>? = nil,
        secrets: [WebhookSecret],
        allowsPrivateAddresses: Bool = false
    ) {
        self.name = name
        self.url = url
        self.types = types
        self.apps = apps
        self.secrets = secrets
        self.allowsPrivateAddresses = allowsPrivateAddresses
    }

    /// What the store needs to know of the endpoint.
    package var subscription: EventSubscription { EventSubscription(endpoint: name, types: types, apps: apps) }
}
