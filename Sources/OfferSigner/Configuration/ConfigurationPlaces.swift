/// Finds the file and the line of a key in the configuration files.
struct ConfigurationPlaces {
    /// The files, with the lines of their keys and the bundle ids of their apps. A later file takes precedence.
    private let files: [(name: String, lines: [String: Int], apps: [String?])]
    /// The bundle ids, in the order of the apps in the merged configuration.
    private var apps: [String?] = []
    /// The keys that an environment variable sets, whatever a file says.
    private let overridden: Set<String>

    init(_ files: [(name: String, yaml: String)], variables: [String: String]) {
        self.files = files.compactMap { file in
            guard let document = try? YAMLDocument(file.yaml), let node = try? ConfigurationNode(yaml: file.yaml, source: "")
            else { return nil }
            return (file.name, document.lines, node.list("apps").map { $0.text("bundleId") })
        }
        let names = Set(variables.keys.map { $0.filter { $0 != "_" } })
        overridden = Set(
            ConfigurationKey.all.filter { key in key.variable.map { names.contains($0.filter { $0 != "_" }) } ?? false }
                .map(\.path))
        for file in self.files where !file.apps.isEmpty {
            let isLaidOver = !apps.isEmpty && !apps.contains(nil) && !file.apps.contains(nil)
            apps = isLaidOver ? apps + file.apps.filter { !apps.contains($0) } : file.apps
        }
    }

    /// Adds a file and a line to a problem: those of the key that the problem begins with, or of the nearest key around that key.
    ///
    /// Returns the problem unchanged if no file has such a key.
    func located(_ problem: String) -> String {
        var path = problem.prefix { $0 != ":" }
        guard !overridden.contains(String(path)) else { return problem }
        while !path.isEmpty {
            for file in files.reversed() {
                if let line = file.lines[self.path(path, in: file.apps)] { return "\(problem) (\(file.name), line \(line))" }
            }
            path = path[..<(path.lastIndex { $0 == "." || $0 == "[" } ?? path.startIndex)]
        }
        return problem
    }

    /// Returns a path with the number that the app has in a file, which may differ from its number after the merge.
    private func path(_ path: Substring, in apps: [String?]) -> String {
        guard path.hasPrefix("apps["), let end = path.firstIndex(of: "]"), let number = Int(path[..<end].dropFirst(5)),
            self.apps.indices.contains(number)
        else { return String(path) }
        guard let own = apps.firstIndex(of: self.apps[number]) else { return "" }
        return "apps[\(own)]\(path[end...].dropFirst())"
    }
}
