import OfferSigning
import WireText

/// `keys.yaml`: the apps and the state of each key.
struct KeyManifest {
    /// The place of a private key.
    enum Place: Equatable {
        case file(String)
        case module(PKCS11URI)

        /// The name of the file; nil for a key in a hardware module.
        var file: String? { if case .file(let file) = self { file } else { nil } }
    }

    /// One key of the manifest.
    struct Entry: Equatable {
        /// The key id; nil if it is the one in the file's name.
        let id: String?
        let place: Place
        /// The bundle ids of the apps; nil means every app.
        let apps: Set<String>?
        let state: KeyState
    }

    static let fileName = "keys.yaml"
    private static let names: Set = ["id", "file", "uri", "apps", "state"]

    let entries: [Entry]

    init(yaml: String, source: String) throws(ConfigurationError) {
        let root = try ConfigurationNode(yaml: yaml, source: source)
        var problems: [String] = []
        if case .map(let map) = root {
            problems += map.keys.filter { $0 != "keys" }.sorted().map {
                "\(source): \($0): no such key\(NearNames.suggestion(for: $0, among: ["keys"]))"
            }
        }
        guard case .list(let nodes)? = root["keys"] else {
            throw ConfigurationError(problems + ["\(source): keys: must be a list of keys"])
        }
        entries = nodes.enumerated().compactMap { index, node in
            KeyManifest.entry(node, "\(source): keys[\(index)]", &problems)
        }
        guard problems.isEmpty else { throw ConfigurationError(problems) }
    }

    private static func entry(_ node: ConfigurationNode, _ path: String, _ problems: inout [String]) -> Entry? {
        guard case .map(let map) = node else {
            problems.append("\(path): must have id, and file or uri")
            return nil
        }
        problems += map.keys.filter { !names.contains($0) }.sorted().map {
            "\(path).\($0): no such key\(NearNames.suggestion(for: $0, among: names.sorted()))"
        }
        guard case .scalar(let id)? = node["id"], !id.isEmpty, let place = place(node, path, &problems) else {
            problems.append("\(path): id is needed, and file or uri, one of the two")
            return nil
        }
        var apps: Set<String>?
        if let node = map["apps"] {
            guard let listed = node.scalars else {
                problems.append("\(path).apps: must be a list of bundle ids")
                return nil
            }
            apps = Set(listed)
        }
        var state = KeyState.active
        if let node = map["state"] {
            guard case .scalar(let text) = node, let known = KeyState(rawValue: text) else {
                problems.append("\(path).state: must be \(KeyState.allCases.map(\.rawValue).joined(separator: " or "))")
                return nil
            }
            state = known
        }
        return Entry(id: id, place: place, apps: apps, state: state)
    }

    private static func place(_ node: ConfigurationNode, _ path: String, _ problems: inout [String]) -> Place? {
        switch (node["file"], node["uri"]) {
        case (.scalar(let file)?, nil): return file.isEmpty ? nil : .file(file)
        case (nil, .scalar(let text)?):
            do throws(SigningError) {
                return .module(try PKCS11URI(text))
            } catch {
                problems.append("\(path).uri: \(error.detail) [\(error.code.rawValue)]")
                return nil
            }
        default: return nil
        }
    }
}
