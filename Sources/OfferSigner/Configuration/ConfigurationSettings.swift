import OfferHTTP

/// The keys that a configuration sets, with their values, to be recorded and to be compared with another configuration.
struct ConfigurationSettings: Equatable {
    /// A key that is set, with its value.
    struct Setting: Equatable {
        /// The key's path in the table of keys.
        let path: String
        /// The value as text; nil if it is a secret.
        let text: String?
        /// For a secret, a hash by which this process notices that the secret has changed. It has no meaning in another process.
        let hash: Int
    }

    /// A key whose values differ between two configurations, or that only one of them sets.
    struct Change: Equatable {
        /// Where the key stands, such as `apps[com.example.app].eligibility`.
        let place: String
        let path: String
        /// The values as text; nil where the key is not set.
        let before, after: String?

        /// The change in one line, such as `limits.burst: 400 → 800`.
        var text: String { "\(place): \(before ?? "(default)") → \(after ?? "(default)")" }
    }

    /// The settings by the place of their key, such as `apps[com.example.app].eligibility`.
    private(set) var settings: [String: Setting] = [:]

    init() {}

    /// Each key in one line, such as `limits.burst: 400`, sorted, for the audit log. The value of a secret is left out.
    var facts: [String] { settings.map { "\($0.key): \(Self.text($0.value))" }.sorted() }

    /// Makes settings from `facts` that were recorded. The values of secrets are not known.
    init(facts: [String]) {
        self.init()
        for fact in facts {
            guard let colon = fact.firstRange(of: ": ") else { continue }
            let place = String(fact[..<colon.lowerBound])
            // `apps[com.example.app].eligibility` is about the key `apps[].eligibility`. An id has no closing bracket.
            let path = place.replacing(/\[[^\]]*\]/, with: "[]")
            settings[place] = Setting(path: path, text: String(fact[colon.upperBound...]), hash: 0)
        }
    }

    /// Returns the changes from these settings to other ones, sorted by place.
    func changes(to other: ConfigurationSettings) -> [Change] {
        Set(settings.keys).union(other.settings.keys).sorted().compactMap { place in
            let (before, after) = (settings[place], other.settings[place])
            guard before != after, let path = (before ?? after)?.path else { return nil }
            return Change(place: place, path: path, before: before.map(Self.text), after: after.map(Self.text))
        }
    }

    /// Returns these settings, with the values of the changed keys from another configuration.
    func taking(_ changes: [Change], from other: ConfigurationSettings) -> ConfigurationSettings {
        var result = self
        for change in changes { result.settings[change.place] = other.settings[change.place] }
        return result
    }

    private static func text(_ setting: Setting) -> String { setting.text ?? "(secret)" }
}

extension ConfigurationTree {
    /// All keys that are set.
    var settings: ConfigurationSettings {
        var settings = ConfigurationSettings()
        settings.collect(root, path: "", place: "")
        return settings
    }
}

extension ConfigurationSettings {
    fileprivate mutating func collect(_ node: ConfigurationNode, path: String, place: String) {
        switch node {
        case .null: return
        case .scalar(let text):
            let isSecret = ConfigurationKey.all.first { $0.path == path }?.isSecret ?? true
            settings[place] = Setting(path: path, text: isSecret ? nil : text, hash: isSecret ? text.hashValue : 0)
        case .map(let map) where ConfigurationKey.all.contains { $0.path == path }:
            let entries = map.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.scalar ?? "")" }
            settings[place] = Setting(path: path, text: entries.joined(separator: ", "), hash: 0)
        case .map(let map):
            for (name, child) in map {
                let dot = path.isEmpty ? "" : "."
                collect(child, path: "\(path)\(dot)\(name)", place: "\(place)\(dot)\(name)")
            }
        case .list(let nodes):
            if let texts = node.scalars {
                settings[place] = Setting(path: path, text: texts.joined(separator: ", "), hash: 0)
            } else {
                for (index, child) in nodes.enumerated() {
                    collect(child, path: path + "[]", place: "\(place)[\(Self.name(of: child) ?? String(index))]")
                }
            }
        }
    }

    // Apps, groups, products and offers are named by their ids, because their places in a list have no meaning.
    private static func name(of node: ConfigurationNode) -> String? {
        for name in ["bundleId", "id"] {
            if case .scalar(let text)? = node[name] { return text }
        }
        return nil
    }
}
