/// What a store is made of: tables, indexes, triggers and the like, each with its definition.
///
/// A trigger or a rule in a copy could delete what keeps a nonce from being signed twice. So a store is used only if it has
/// exactly what the migrations of this version make.
package struct StoreSchema: Equatable, Sendable {
    private static let mostNamed = 3

    /// The definitions by kind and name, such as `table access`. A damaged store may have several under one name.
    private var definitions: [String: [String]] = [:]

    /// Creates the schema of an empty store.
    package init() {}

    package var isEmpty: Bool { definitions.isEmpty }

    /// - Parameters:
    ///   - name: the kind and the name, which messages show.
    ///   - definition: all else that matters of the object, in a form that is always the same for the same object.
    package mutating func add(_ name: String, _ definition: String) { definitions[name, default: []].append(definition) }

    /// Adds all objects of another.
    package mutating func add(_ other: StoreSchema) {
        definitions.merge(other.definitions) { $0 + $1 }
    }

    /// Divides the objects into those whose name satisfies a condition and the rest.
    package func divided(by condition: (String) -> Bool) -> (matching: StoreSchema, rest: StoreSchema) {
        var (matching, rest) = (StoreSchema(), StoreSchema())
        matching.definitions = definitions.filter { condition($0.key) }
        rest.definitions = definitions.filter { !condition($0.key) }
        return (matching, rest)
    }

    /// Replaces a text in all names and definitions.
    package func replacing(_ text: String, with other: String) -> StoreSchema {
        var copy = StoreSchema()
        for (name, texts) in definitions {
            for definition in texts { copy.add(name.replacing(text, with: other), definition.replacing(text, with: other)) }
        }
        return copy
    }

    /// Throws if a store has another schema than expected.
    ///
    /// - Parameter store: the store's name, for the message.
    package func require(_ expected: StoreSchema, of store: String) throws(StoreError) {
        let differences = differences(from: expected)
        guard !differences.isEmpty else { return }
        let rest = differences.count - Self.mostNamed
        let list = differences.prefix(Self.mostNamed).joined(separator: "; ") + (rest > 0 ? "; and \(rest) more" : "")
        throw StoreError(
            .schemaChanged,
            "\(store) does not have the schema that this version makes, so it is not used: \(list). "
                + "Remove what was added, or restore a backup; see docs/backup.md")
    }

    private func differences(from expected: StoreSchema) -> [String] {
        Set(definitions.keys).union(expected.definitions.keys).sorted().compactMap { name in
            let (found, wanted) = (definitions[name, default: []].sorted(), expected.definitions[name, default: []].sorted())
            guard found != wanted else { return nil }
            let change = wanted.isEmpty ? "was added" : found.isEmpty ? "is missing" : "is another"
            return "\(Self.printable(name)) \(change)"
        }
    }

    /// Replaces control characters, because a name in a hostile copy of a store may contain commands to a terminal.
    private static func printable(_ name: String) -> String {
        String(String.UnicodeScalarView(name.unicodeScalars.map { $0.properties.generalCategory == .control ? "?" : $0 }))
    }
}
