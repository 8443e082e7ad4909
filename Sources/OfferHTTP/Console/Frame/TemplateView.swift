import Mustache
import Synchronization

/// A structure that a template shows.
///
/// The template refers to its stored properties by their names.
///
/// A property is a text, a number, a Bool, another view, or an optional or array of these. A property that is nil is shown as
/// empty. Without this protocol, the template would look for the name of such a property in the views around it instead.
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

/// Remembers the position of each property in its type.
///
/// Finding a property by its name takes time, and a long list has thousands of properties.
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

/// Stands for a property that is nil.
private struct Nothing: MustacheCustomRenderable {
    let renderText = ""
    let isNull = true
}
