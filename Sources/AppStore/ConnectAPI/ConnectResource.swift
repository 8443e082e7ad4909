import WireText

/// One resource of a JSON:API document.
struct ConnectResource: Sendable {
    let id: String
    let type: String
    let attributes: AppleObject
    private let relationships: AppleObject?

    /// Nil without an id.
    init?(_ object: AppleObject) {
        guard let id = object.text("id"), !id.isEmpty else { return nil }
        self.id = id
        type = object.text("type") ?? ""
        attributes = object.object("attributes") ?? AppleObject(.object([]))!
        relationships = object.object("relationships")
    }

    /// Returns the id of a to-one relationship.
    func related(_ name: String) -> String? { relationships?.object(name)?.object("data")?.text("id") }
}
