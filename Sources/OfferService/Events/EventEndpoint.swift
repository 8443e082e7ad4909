package import OfferSigning
package import OfferStore

/// One of the company's own systems that receives events, as configured.
package struct EventEndpoint: Sendable {
    /// The name in the configuration.
    package let name: String
    /// May contain a secret, as many chat systems have it: not for logs and pages.
    package let url: String
    /// The types that it receives; one that ends in `*` stands for all with this beginning.
    package let types: [String]
    /// Bundle ids; nil: all apps, and the events of no app.
    package let apps: Set<String>?
    /// Each of them signs every request.
    package let secrets: [WebhookSecret]
    /// Whether its address may be private, such as one of the own network.
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

    /// What the store needs to know of it.
    package var subscription: EventSubscription { EventSubscription(endpoint: name, types: types, apps: apps) }
}
