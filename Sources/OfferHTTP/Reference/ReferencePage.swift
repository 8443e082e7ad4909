import WireText

/// The OpenAPI document as a page to read, without script and without content from elsewhere.
package struct ReferencePage {
    let html: [UInt8]
    /// The Content-Security-Policy, which allows this page's own style sheet and nothing else.
    let contentSecurityPolicy: String

    /// Returns the page of the API's own document.
    ///
    /// - Parameter digest: computes SHA-256.
    package static func bundled(digest: ([UInt8]) -> [UInt8]) throws -> ReferencePage {
        try ReferencePage(document: Resource.bytes("openapi.json"), style: Resource.bytes("reference.css"), digest: digest)
    }

    /// Renders the document. Throws the fault of its JSON.
    init(document: [UInt8], style: [UInt8], digest: ([UInt8]) -> [UInt8]) throws {
        let node = try OpenAPINode(document: document)
        var source: [UInt8] = []
        Base64.append(digest(style), to: &source)
        contentSecurityPolicy =
            "default-src 'none'; style-src 'sha256-\(String(decoding: source, as: UTF8.self))'; base-uri 'none'; "
            + "form-action 'none'; frame-ancestors 'none'"
        html = Array(ReferencePage.source(node, style: String(decoding: style, as: UTF8.self)).utf8)
    }

    private static func source(_ document: OpenAPINode, style: String) -> String {
        let title = document["info"]?["title"]?.text ?? ""
        let version = document["info"]?["version"]?.text ?? ""
        let operations = ReferenceOperation.all(of: document)
        var page = HTMLText()
        page.element("h1") { heading in
            heading.append("\(title) API ")
            heading.element("small", version)
        }
        page.prose(document["info"]?["description"]?.text ?? "")
        for (_, scheme) in document["components"]?["securitySchemes"]?.members ?? [] {
            let form = scheme["bearerFormat"]?.text.map { "Header `Authorization: Bearer \($0)`. " } ?? ""
            page.prose(form + (scheme["description"]?.text ?? ""))
        }
        page.element("p") { line in
            line.append("For programs: ")
            line.link("/openapi.json", "/openapi.json")
        }
        page.element("nav") { $0.contents(document["tags"]?.elements ?? [], operations) }
        for operation in operations { page.operation(operation) }
        page.codes(document)
        return """
            <!doctype html>
            <html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">\
            <title>OfferSigner API</title><style>\(style)</style></head><body><main>\(page.source)</main></body></html>

            """
    }
}
