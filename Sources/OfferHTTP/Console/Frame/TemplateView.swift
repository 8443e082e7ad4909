import Mustache

/// What a template shows: the template names the stored properties.
///
/// A field is a text, a number, a Bool, another view, or an optional or array of these. A field that is nil is shown as
/// empty; the template does not look for its name further out, as it would in a plain structure.
protocol TemplateView: MustacheParent {}

extension TemplateView {
    func child(named name: String) -> Any? {
        guard let field = Mirror(reflecting: self).children.first(where: { $0.label == name }) else { return nil }
        let value = Mirror(reflecting: field.value)
        guard value.displayStyle == .optional else { return field.value }
        return value.children.first?.value ?? Nothing()
    }
}

/// A field without a value.
private struct Nothing: MustacheCustomRenderable {
    let renderText = ""
    let isNull = true
}
