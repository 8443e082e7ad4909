import Mustache
import Synchronization

/// A structure that a template shows.
///
/// The template refers to its stored properties by their names.
///
/// A property is a text, a number, a Bool, another view, or an optional or array of these. A property that is nil is shown as
/// empty. Its name is not looked for in the views around it.
protocol TemplateView {}

/// The properties of a view, read once, so that a template can look them up by their names.
///
/// It is a class, because the renderer copies what it looks names up in, and a view is a large value.
final class ViewFields: MustacheParent {
    /// The position of each property in its type, by types.
    private static let places = Mutex<[ObjectIdentifier: [String: Int]]>([:])

    private let values: [Any]
    private let places: [String: Int]

    init(_ view: any TemplateView) {
        let fields = Mirror(reflecting: view).children
        values = fields.map(\.value)
        places = Self.places.withLock { known in
            let type = ObjectIdentifier(type(of: view))
            if let places = known[type] { return places }
            let places = Dictionary(uniqueKeysWithValues: fields.enumerated().map { ($1.label!, $0) })
            known[type] = places
            return places
        }
    }

    func child(named name: String) -> Any? {
        guard let place = places[name] else { return nil }
        return switch (values[place] as? any OptionalProperty)?.wrapped ?? values[place] {
        case let text as String: text
        case let view as any TemplateView: ViewFields(view)
        case let views as [any TemplateView]: views.map { ViewFields($0) }
        case let value: value
        }
    }
}

private protocol OptionalProperty {
    /// The value, or what stands for nil.
    var wrapped: Any { get }
}

extension Optional: OptionalProperty {
    fileprivate var wrapped: Any { if let self { self } else { Nothing() } }
}

/// Stands for a property that is nil.
private struct Nothing: MustacheCustomRenderable {
    let renderText = ""
    let isNull = true
}
