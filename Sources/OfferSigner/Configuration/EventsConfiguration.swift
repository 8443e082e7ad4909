import EligibilityRules
import FoundationEssentials
import OfferService
import OfferSigning
import OfferStore

/// The events that the company's own systems receive, as configured.
struct EventsConfiguration {
    /// How long deliveries are kept after the last attempt, in ms.
    let keep: Int64
    let endpoints: [EventEndpoint]
}

extension EventsConfiguration {
    private static let day: Int64 = 24 * 3600 * 1000

    /// Reads `events`, whose keys have been checked, and the files of secrets. Records missing and unusable values as problems.
    init(_ tree: ConfigurationTree, bundleIDs: Set<String>, _ problems: inout [String]) {
        let text = tree.text("events.keep")!
        let days = text.wholeMatch(of: /P([1-9][0-9]{0,2})D/).flatMap { Int64($0.1) }
        if days == nil { problems.append("events.keep: must be a number of days such as P7D") }
        keep = (days ?? 7) * Self.day
        let nodes = tree.root["events"]?.list("endpoints") ?? []
        endpoints = nodes.enumerated().compactMap { EventEndpoint($1, bundleIDs, path: "events.endpoints[\($0)]", &problems) }
        for name in endpoints.map(\.name).repeated { problems.append("events.endpoints: \(name) appears twice") }
    }
}

extension EventEndpoint {
    /// Returns nil if something is missing.
    fileprivate init?(_ node: ConfigurationNode, _ bundleIDs: Set<String>, path: String, _ problems: inout [String]) {
        guard let name = node.text("name"), name.wholeMatch(of: /[a-z0-9][a-z0-9-]{0,62}/) != nil else {
            problems.append("\(path).name: must have 1 to 63 lower-case letters, digits and hyphens")
            return nil
        }
        let isOpen = node.text("allowPrivateAddresses") == "true"
        let url = Self.url(node.text("url"), isOpen, "\(path).url", &problems)
        let types = node["types"]?.scalars ?? []
        if types.isEmpty { problems.append("\(path).types: is missing; name the events, such as [offer.signed, campaign.*]") }
        for type in types where !EventCollector.types.contains(where: { EventSubscription.isNamed($0, by: type) }) {
            problems.append("\(path).types: there is no event \(type); docs/events.md lists them")
        }
        let apps = node["apps"]?.scalars
        for app in apps ?? [] where !bundleIDs.contains(app) {
            problems.append("\(path).apps: there is no app \(app) under apps")
        }
        guard let file = node.text("secretFile") else {
            problems.append("\(path).secretFile: is missing; it is a file with a whsec_ or whsk_ secret, which signs the events")
            return nil
        }
        var secrets: [WebhookSecret] = []
        do throws(SigningError) { secrets = try WebhookSecretFile(path: file).load() } catch {
            problems.append("\(path).secretFile: \(error.detail)")
        }
        guard let url else { return nil }
        self.init(
            name: name, url: url.text, types: types, apps: apps.map(Set.init), secrets: secrets,
            allowsPrivateAddresses: isOpen || url.isLoopback)
    }

    /// Checks a URL. The problems do not repeat it, because it may contain a secret.
    private static func url(
        _ text: String?,
        _ allowsPrivateAddresses: Bool,
        _ path: String,
        _ problems: inout [String]
    ) -> (text: String, isLoopback: Bool)? {
        guard let text, let url = URL(string: text), let scheme = url.scheme?.lowercased(), let host = url.host, !host.isEmpty,
            url.user == nil, url.password == nil, url.fragment == nil
        else {
            problems.append("\(path): must be a URL without a user, a password and a fragment")
            return nil
        }
        let isLoopback = ["localhost", "127.0.0.1", "::1", "[::1]"].contains(host)
        guard scheme == "https" || (scheme == "http" && (isLoopback || allowsPrivateAddresses)) else {
            problems.append(
                "\(path): must begin with https://; http:// is for this machine, and for the own network with "
                    + "allowPrivateAddresses: true")
            return nil
        }
        return (text, isLoopback)
    }
}
