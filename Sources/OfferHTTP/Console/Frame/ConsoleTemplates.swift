import Mustache

/// The templates of the console, compiled.
struct ConsoleTemplates: Sendable {
    /// The templates that other templates include.
    static let parts = [
        "audience", "campaign-head", "campaign-notes", "change", "checklist", "field", "prose", "read-back", "reference-body",
        "reference-table", "rich-text", "select",
    ]

    private let library: MustacheLibrary

    /// Compiles the templates of these pages, and those that they include.
    ///
    /// Throws if one has a fault.
    init(pages: [any PageView.Type]) throws {
        MustacheContentTypes.register(ByteEscaping(), named: ByteEscaping.name)
        var library = MustacheLibrary()
        for name in pages.map({ $0.template }) + Self.parts {
            let text = String(decoding: Resource.bytes("console/\(name).mustache"), as: UTF8.self)
            try library.register("{{% CONTENT_TYPE: \(ByteEscaping.name)}}\n" + text, named: name)
        }
        self.library = library
    }

    /// Returns the HTML of a view, with its texts escaped.
    ///
    /// - Parameter formToken: the session's token, which the forms of the view send with them.
    func html<View: PageView>(_ view: View, formToken: String = "") -> String {
        library.render(Scope(view: ViewFields(view), formToken: formToken), withTemplate: View.template) ?? ""
    }

    /// A view together with the names that every template may use.
    private struct Scope: MustacheParent {
        let view: ViewFields
        let formToken: String

        func child(named name: String) -> Any? { name == "formToken" ? formToken : view.child(named: name) }
    }
}

/// Escapes HTML by Unicode scalars, not by characters.
///
/// A quotation mark that is followed by a combining accent is one character in Swift. Escaping by characters would overlook it,
/// although in HTML the quotation mark still ends an attribute.
struct ByteEscaping: MustacheContentType {
    /// The name by which templates choose this escaping.
    static let name = "SCALARS"

    func escapeText(_ text: String) -> String {
        var escaped = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "<": escaped.append(contentsOf: "&lt;".unicodeScalars)
            case ">": escaped.append(contentsOf: "&gt;".unicodeScalars)
            case "&": escaped.append(contentsOf: "&amp;".unicodeScalars)
            case "\"": escaped.append(contentsOf: "&quot;".unicodeScalars)
            case "'": escaped.append(contentsOf: "&#39;".unicodeScalars)
            default: escaped.append(scalar)
            }
        }
        return String(escaped)
    }
}
