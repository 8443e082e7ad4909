/// Reads the catalogue file that `offersigner catalogue pull` writes, and adds it to the configuration that people write.
enum CatalogueFile {
    /// The lists of a catalogue whose elements are matched by id.
    static let lists = ["subscriptionGroups", "products", "promotionalOffers", "winBackOffers"]

    /// Returns the apps of a catalogue file. Throws if the file has anything else.
    static func apps(_ yaml: String, source: String) throws(ConfigurationError) -> [ConfigurationNode] {
        let node = try ConfigurationNode(yaml: yaml, source: source)
        guard case .map(let map) = node, map.keys.allSatisfy({ $0 == "apps" }) else {
            throw ConfigurationError("\(source): holds more than apps; write it with offersigner catalogue pull")
        }
        let apps = node.list("apps")
        for app in apps {
            guard case .map(let members) = app, app.text("bundleId") != nil,
                members.keys.allSatisfy({ ["bundleId", "subscriptionGroups"].contains($0) })
            else {
                throw ConfigurationError(
                    "\(source): an app there has more than bundleId and subscriptionGroups; the rest stands in the configuration")
            }
        }
        let problems = node.repeatedApps.map { "\(source): apps: \($0) appears twice" }
        guard problems.isEmpty else { throw ConfigurationError(problems) }
        return apps
    }

    /// Returns the configuration with the catalogue's values where the configuration has none of its own.
    ///
    /// - Parameter problems: receives what only one side has: apps of the file that are not configured, and elements of the
    ///   configuration's own catalogue that are not in the file.
    static func merged(
        _ root: ConfigurationNode,
        over catalogue: [ConfigurationNode],
        source: String,
        _ problems: inout [String]
    ) -> ConfigurationNode {
        guard case .map(var map) = root else { return root }
        let configured = root.list("apps")
        for app in catalogue where !configured.contains(where: { $0.text("bundleId") == app.text("bundleId") }) {
            problems.append("\(source): \(app.text("bundleId") ?? "") is not an app of the configuration")
        }
        map["apps"] = .list(
            configured.enumerated().map { index, app in
                guard let below = catalogue.first(where: { $0.text("bundleId") == app.text("bundleId") }) else { return app }
                return merged(app, over: below, place: "apps[\(index)]", source, &problems)
            })
        return .map(map)
    }

    private static func merged(
        _ upper: ConfigurationNode,
        over lower: ConfigurationNode,
        place: String,
        _ source: String,
        _ problems: inout [String]
    ) -> ConfigurationNode {
        guard case .map(let below) = lower, case .map(let above) = upper else { return upper == .null ? lower : upper }
        var map = below
        for (key, value) in above.sorted(by: { $0.key < $1.key }) {
            if lists.contains(key), case .list(let elements) = value, let known = below[key] ?? (below.isEmpty ? nil : .list([])),
                case .list(let lowerElements) = known
            {
                map[key] = .list(merged(elements, over: lowerElements, place: "\(place).\(key)", source, &problems))
            } else {
                map[key] = below[key].map { merged(value, over: $0, place: "\(place).\(key)", source, &problems) } ?? value
            }
        }
        return .map(map)
    }

    private static func merged(
        _ upper: [ConfigurationNode],
        over lower: [ConfigurationNode],
        place: String,
        _ source: String,
        _ problems: inout [String]
    ) -> [ConfigurationNode] {
        var result = lower
        for element in upper {
            guard let id = element.text("id"), let index = result.firstIndex(where: { $0.text("id") == id }) else {
                problems.append(
                    "\(place): \(element.text("id") ?? "an element without id") is not in \(source); correct the id, or pull the catalogue again"
                )
                continue
            }
            result[index] = merged(element, over: result[index], place: "\(place)[\(id)]", source, &problems)
        }
        return result
    }
}
