import Mustache
import Synchronization

/// What a template shows: the template names the stored properties.
///
/// A field is a text, a number, a Bool, another view, or an optional or array of these. A field that is nil is shown as
/// empty; the template does not look for its name further out, as it would in a plain structure.
protocol TemplateView: MustacheParent {}

extension TemplateView {
    func child(named name: String) -> Any? {
        let fields = Mirror(reflecting: self).children
        guard let place = ViewFields.of(fields, in: Self.self)[name] else { return nil }
        let field = fields[fields.index(fields.startIndex, offsetBy: place)].value
        let value = Mirror(reflecting: field)
        guard value.displayStyle == .optional else { return field }
        return value.children.first?.value ?? Nothing()
    }
}

/// The places of views' fields by name: reading a field takes some time, and a long list has thousands.
private enum ViewFields {
    private static let known = Mutex<[ObjectIdentifier: [String: Int]]>([:])

    static func of(_ fields: Mirror.Children, in type: Any.Type) -> [String: Int] {
        known.withLock { known in
            if let places = known[ObjectIdentifier(type)] { return places }
            let places = Dictionary(uniqueKeysWithValues: fields.enumerated().map { ($1.label!, $0) })
            known[ObjectIdentifier(type)] = places
            return places
        }
    }
}

/// A field without a value.
private struct Nothing: MustacheCustomRenderable {
    let renderText = ""
    let isNull = true
}
