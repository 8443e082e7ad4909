import EligibilityRules
import Yams

/// A configuration file as a tree, before its keys are interpreted.
indirect enum ConfigurationNode: Equatable {
    case scalar(String)
    case list([ConfigurationNode])
    case map([String: ConfigurationNode])
    case null

    /// Parses one YAML document.
    init(yaml: String, source: String) throws(ConfigurationError) {
        do {
            self = try Yams.compose(yaml: yaml).map(ConfigurationNode.init) ?? .map([:])
        } catch let error as ConfigurationError {
            throw ConfigurationError(error.problems.map { "\(source): \($0)" })
        } catch {
            throw ConfigurationError("\(source) is not YAML: \((error as? YamlError)?.place ?? "it cannot be parsed")")
        }
        if self == .null { self = .map([:]) }
        guard case .map = self else { throw ConfigurationError("\(source) must hold keys and values at the top") }
    }

    private init(_ node: Yams.Node) throws {
        switch node {
        case .scalar(let scalar):
            let isNull = node.tag == Tag(.null) || (scalar.style == .plain && ["", "~", "null"].contains(scalar.string))
            self = isNull ? .null : .scalar(scalar.string)
        case .sequence(let sequence): self = .list(try sequence.map(ConfigurationNode.init))
        case .mapping(let mapping):
            var map: [String: ConfigurationNode] = [:]
            for (key, value) in mapping { map[key.scalar?.string ?? "?"] = try ConfigurationNode(value) }
            self = .map(map)
        case .alias: throw ConfigurationError("YAML aliases are not supported")
        }
    }

    /// Returns this tree with another laid over it.
    ///
    /// Maps are merged by their keys, and lists of apps by `bundleId`. Any other value of the upper tree replaces the lower one.
    func overlaid(with upper: ConfigurationNode) -> ConfigurationNode {
        switch (self, upper) {
        case (.map(let below), .map(let above)):
            return .map(below.merging(above) { $0.overlaid(with: $1) })
        case (.list(let below), .list(let above)) where !below.isEmpty && (below + above).allSatisfy { $0.bundleID != nil }:
            let replaced = below.map { app in
                above.filter { $0.bundleID == app.bundleID }.reduce(app) { $0.overlaid(with: $1) }
            }
            return .list(replaced + above.filter { new in !below.contains { $0.bundleID == new.bundleID } })
        // A section of the upper file whose keys are all commented out does not remove the lower section.
        case (.map, .null), (.list, .null): return self
        default: return upper
        }
    }

    /// Returns the tree with a node set at a path of map keys.
    func setting(_ path: ArraySlice<String>, to node: ConfigurationNode) -> ConfigurationNode {
        guard let key = path.first else { return node }
        var map = if case .map(let map) = self { map } else { [String: ConfigurationNode]() }
        map[key] = (map[key] ?? .map([:])).setting(path.dropFirst(), to: node)
        return .map(map)
    }

    /// The node at a key; nil if there is none.
    subscript(key: String) -> ConfigurationNode? {
        guard case .map(let map) = self, let node = map[key], node != .null else { return nil }
        return node
    }

    /// Returns the text at a key; nil if there is none.
    func text(_ key: String) -> String? {
        if case .scalar(let text)? = self[key] { text } else { nil }
    }

    /// Returns the list at a key; empty if there is none.
    func list(_ key: String) -> [ConfigurationNode] {
        if case .list(let nodes)? = self[key] { nodes } else { [] }
    }

    /// The text of a scalar.
    var scalar: String? { if case .scalar(let text) = self { text } else { nil } }

    /// Returns the prices by storefront at a key, whose form was checked before.
    func prices(_ key: String) -> [String: Money] {
        guard case .map(let map)? = self[key] else { return [:] }
        return map.compactMapValues { $0.scalar.flatMap { Money($0) } }
    }

    /// The texts of a list of texts; nil for anything else.
    var scalars: [String]? {
        guard case .list(let nodes) = self else { return nil }
        let texts = nodes.compactMap { if case .scalar(let text) = $0 { text } else { nil } }
        return texts.count == nodes.count ? texts : nil
    }

    /// The bundle ids that several elements of `apps` have.
    var repeatedApps: [String] {
        guard case .list(let apps)? = self["apps"] else { return [] }
        return apps.compactMap(\.bundleID).repeated.sorted()
    }

    private var bundleID: String? {
        if case .scalar(let id)? = self["bundleId"] { id } else { nil }
    }
}
