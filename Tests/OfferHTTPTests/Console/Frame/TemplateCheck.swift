@_spi(Reflection) import Swift

@testable import OfferHTTP

/// Compares what templates name with the stored properties of the views that they show.
struct TemplateCheck {
    /// Returns the text of a template.
    let text: (String) -> String
    /// The faults, each with its place: `keys.mustache:12: no field "id" in KeysView`.
    private(set) var faults: [String] = []
    /// The templates that were read.
    private(set) var templates: Set<String> = []
    private var named: Set<String> = []
    private var views: [String: any TemplateView.Type] = [:]
    private var seen: Set<String> = []

    init(text: @escaping (String) -> String) { self.text = text }

    /// The properties that no template names, as `Type.property`.
    var unnamed: [String] {
        views.flatMap { name, view in fields(of: view).keys.map { "\(name).\($0)" } }.filter { !named.contains($0) }.sorted()
    }

    /// Checks a template and those that it includes.
    ///
    /// - Parameter scope: the types that names are looked up in, the innermost last.
    mutating func check(_ template: String, _ scope: [Any.Type]) {
        guard seen.insert("\(template) \(scope)").inserted else { return }
        templates.insert(template)
        scope.forEach { note($0) }
        var scopes = [scope]
        var open: [String] = []
        for tag in TemplateTag.all(in: text(template)) {
            let place = "\(template).mustache:\(tag.line)"
            switch tag.kind {
            case .comment: break
            case .part: check(tag.name, scopes.last!)
            case .end:
                let opened = open.popLast() ?? ""
                if opened != tag.name { faults.append("\(place): {{/\(tag.name)}} closes {{#\(opened)}}") }
                if scopes.count > 1 { scopes.removeLast() }
            case .text, .unescaped, .section, .inverted:
                guard let type = find(tag.name, scopes.last!) else {
                    let names = scopes.last!.map(Self.name).joined(separator: ", ")
                    faults.append("\(place): no field \"\(tag.name)\" in \(names)")
                    if tag.kind == .section || tag.kind == .inverted {
                        (open, scopes) = (open + [tag.name], scopes + [scopes.last!])
                    }
                    continue
                }
                if let fault = fault(of: tag, type, template) { faults.append("\(place): \"\(tag.name)\" \(fault)") }
                guard tag.kind == .section || tag.kind == .inverted else { continue }
                open.append(tag.name)
                // The same type further out hides nothing, and would let a template that includes itself go on without an end.
                let isSame = tag.kind == .inverted || type == Bool.self
                scopes.append(isSame ? scopes.last! : scopes.last!.filter { $0 != Self.inner(type) } + [Self.inner(type)])
                note(Self.inner(type))
            }
        }
    }

    private func fault(of tag: TemplateTag, _ type: Any.Type, _ template: String) -> String? {
        let shown = (type as? any OptionalType.Type)?.wrapped ?? type
        switch tag.kind {
        case .text: return shown == String.self || shown is any BinaryInteger.Type ? nil : "is not a text"
        // A frame gets the HTML of its page, and a page without other files its style sheet.
        case .unescaped: return Self.markup.contains("\(template).\(tag.name)") ? nil : "is not escaped"
        case .inverted where type is any TemplateView.Type: return "always has a value"
        default:
            let isChoice = type == Bool.self || type is any OptionalType.Type || type is any ArrayType.Type
            return isChoice || type is any TemplateView.Type ? nil : "always has a value"
        }
    }

    private static let markup: Set = [
        "layout.content", "alone.content", "entrance.style", "reference.style", "reference-operation.style",
        "reference-codes.style",
    ]

    private mutating func find(_ name: String, _ scope: [Any.Type]) -> Any.Type? {
        if name == "." { return scope.last! }
        if name == "formToken" { return String.self }
        for type in scope.reversed() {
            guard let field = fields(of: type)[name] else { continue }
            named.insert("\(Self.name(type)).\(name)")
            return field
        }
        return nil
    }

    /// Keeps a view, to find the properties that no template names.
    private mutating func note(_ type: Any.Type) {
        guard let view = type as? any TemplateView.Type else { return }
        views[Self.name(type)] = view
    }

    private func fields(of type: Any.Type) -> [String: Any.Type] {
        guard type is any TemplateView.Type else { return [:] }
        var fields: [String: Any.Type] = [:]
        _forEachField(of: type) { name, _, field, _ in
            fields[String(cString: name)] = field
            return true
        }
        return fields
    }

    /// Returns the name of a type without its module.
    private static func name(_ type: Any.Type) -> String {
        String(reflecting: type).split(separator: ".").dropFirst().joined(separator: ".")
    }

    private static func inner(_ type: Any.Type) -> Any.Type {
        (type as? any OptionalType.Type)?.wrapped ?? (type as? any ArrayType.Type)?.element ?? type
    }
}

private protocol OptionalType { static var wrapped: Any.Type { get } }
extension Optional: OptionalType { static var wrapped: Any.Type { Wrapped.self } }

private protocol ArrayType { static var element: Any.Type { get } }
extension Array: ArrayType { static var element: Any.Type { Element.self } }
