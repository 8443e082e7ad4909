import OfferHTTP
import OfferSigning
import WireText

/// A checked configuration: files laid over each other, environment variables on top, every key known and well-formed.
struct ConfigurationTree {
    let root: ConfigurationNode

    /// - Parameters:
    ///   - files: YAML texts with their names. A later one takes precedence.
    ///   - variables: the process environment; only names that start with `OFFERSIGNER_` count.
    init(files: [(name: String, yaml: String)], variables: [String: String]) throws(ConfigurationError) {
        var tree = ConfigurationNode.map([:])
        var problems: [String] = []
        for file in files {
            let layer = try ConfigurationNode(yaml: file.yaml, source: file.name)
            problems += layer.repeatedApps.map { "\(file.name): apps: \($0) appears twice" }
            tree = tree.overlaid(with: layer)
        }
        var nameByPath: [String: String] = [:]
        for (name, value) in variables.sorted(by: { $0.key < $1.key }) where name.hasPrefix("OFFERSIGNER_") {
            guard let key = ConfigurationTree.key(ofVariable: name) else {
                problems.append("\(name): no key has this environment variable")
                continue
            }
            if let other = nameByPath.updateValue(name, forKey: key.path) {
                problems.append("\(name) and \(other) are the same key; give one of the two")
            }
            let path = key.path.split(separator: ".").map(String.init)
            tree = tree.setting(path[...], to: ConfigurationTree.node(value, key.kind))
        }
        if let file = tree["catalogue"]?.text("file") {
            let apps = try CatalogueFile.apps(try TextFile.read(file, for: "catalogue.file"), source: file)
            tree = CatalogueFile.merged(tree, over: apps, source: file, &problems)
        }
        ConfigurationTree.check(tree, path: "", place: "", &problems)
        guard problems.isEmpty else { throw ConfigurationError(problems) }
        root = tree
    }

    // Underscores between the words of a name are optional: HTTP_EVENT_LOOPS is http.eventLoops, too.
    private static func key(ofVariable name: String) -> ConfigurationKey? {
        let letters = name.filter { $0 != "_" }
        return ConfigurationKey.all.first { $0.variable?.filter { $0 != "_" } == letters }
    }

    private static func node(_ value: String, _ kind: ConfigurationKey.Kind) -> ConfigurationNode {
        guard case .texts = kind else { return .scalar(value) }
        return .list(value.split(separator: ",").map { .scalar(String($0)) })
    }

    /// Adds the problems of a node and of everything below it.
    ///
    /// - Parameters:
    ///   - path: the path as in the table of keys, such as `apps[].issuerId`.
    ///   - place: the same with the numbers of list elements, such as `apps[0].issuerId`.
    private static func check(_ node: ConfigurationNode, path: String, place: String, _ problems: inout [String]) {
        if let key = ConfigurationKey.all.first(where: { $0.path == path }) {
            if node != .null, let fault = key.fault(of: node) { problems.append("\(place): \(fault)") }
            return
        }
        switch node {
        case _ where !isInner(path) && !isInner(path + "[]") && !path.isEmpty:
            problems.append("\(place): no such key\(suggestion(for: path))")
        case .null: return
        case .map(let map) where path.isEmpty || isInner(path):
            for (name, child) in map.sorted(by: { $0.key < $1.key }) {
                let dot = path.isEmpty ? "" : "."
                check(child, path: "\(path)\(dot)\(name)", place: "\(place)\(dot)\(name)", &problems)
            }
        case .list(let nodes) where isInner(path + "[]"):
            for (index, child) in nodes.enumerated() {
                check(child, path: path + "[]", place: "\(place)[\(index)]", &problems)
            }
        default: problems.append("\(place): must hold \(isInner(path + "[]") ? "a list" : "keys of its own")")
        }
    }

    private static func isInner(_ path: String) -> Bool {
        ConfigurationKey.all.contains { $0.path.hasPrefix(path + ".") }
    }

    /// Returns a hint for a mistyped key: similar names at the same place, or else keys elsewhere that end with the same name.
    private static func suggestion(for path: String) -> String {
        let parent = path.lastIndex(of: ".").map { String(path[...$0]) } ?? ""
        let name = String(path.dropFirst(parent.count))
        let beside = ConfigurationKey.all.map(\.path).filter { $0.hasPrefix(parent) }
            .map { String($0.dropFirst(parent.count).prefix { $0 != "." && $0 != "[" }) }
        let near = NearNames.suggestion(for: name, among: Set(beside).sorted())
        if !near.isEmpty { return near }
        let elsewhere = ConfigurationKey.all.map(\.path).filter { $0.lowercased().hasSuffix("." + name.lowercased()) }
        return elsewhere.isEmpty ? "" : "; do you mean \(elsewhere.joined(separator: " or "))?"
    }

    /// Returns the text at a path of plain names, or the key's default.
    func text(_ path: String) -> String? {
        var node: ConfigurationNode? = root
        for name in path.split(separator: ".") { node = node?[String(name)] }
        if case .scalar(let text)? = node { return text }
        return ConfigurationKey.all.first { $0.path == path }?.fallback
    }

    /// Returns the integer at a path, whose form was checked before.
    func integer(_ path: String) -> Int64? { text(path).flatMap { Int64($0) } }

    /// Returns the texts of a list.
    func texts(_ path: String) -> [String] {
        var node: ConfigurationNode? = root
        for name in path.split(separator: ".") { node = node?[String(name)] }
        return node?.scalars ?? []
    }

    /// Returns the secret at the path, or in the file that `<path>File` names.
    func secret(_ path: String) throws(ConfigurationError) -> String? {
        let file = text(path + "File")
        if let text = text(path) {
            guard file == nil else { throw ConfigurationError("\(path) and \(path)File: give one of the two") }
            return text
        }
        guard let file else { return nil }
        return try TextFile.read(file, for: path + "File").trimmed
    }
}

extension ConfigurationTree {
    /// Returns the addresses and ranges of a list. Records invalid ones as problems.
    func addressRanges(_ path: String, _ problems: inout [String]) -> [AddressRange] {
        texts(path).compactMap { text in
            let range = AddressRange(text)
            if range == nil {
                problems.append(
                    "\(path): \(text) is not an IP address or a range such as 10.1.0.0/16; a range of all addresses is refused")
            }
            return range
        }
    }
}
