import WireText

/// The OpenAPI document as a page to read, without script and without content from elsewhere.
package enum ReferencePage {
    /// Renders a document. Throws the fault of its JSON.
    ///
    /// - Parameter digest: computes SHA-256.
    package static func page(of document: [UInt8], digest: ([UInt8]) -> [UInt8]) throws -> DocumentPage {
        try page(of: document, style: Resource.bytes("reference.css"), digest: digest)
    }

    static func page(of document: [UInt8], style: [UInt8], digest: ([UInt8]) -> [UInt8]) throws -> DocumentPage {
        let view = ReferenceView(try OpenAPINode(document: document), style: String(decoding: style, as: UTF8.self))
        var source: [UInt8] = []
        Base64.append(digest(style), to: &source)
        // Allows this page's own style sheet and nothing else.
        return DocumentPage(
            html: Array(try ConsoleTemplates(pages: [ReferenceView.self]).html(view).utf8),
            contentSecurityPolicy:
                "default-src 'none'; style-src 'sha256-\(String(decoding: source, as: UTF8.self))'; base-uri 'none'; "
                + "form-action 'none'; frame-ancestors 'none'")
    }
}
