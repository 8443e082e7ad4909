import WireText

/// The API reference: the OpenAPI document as pages, one for each operation. They need no script and nothing from other servers.
package enum ReferenceSite {
    /// Renders the pages of a document. Throws if the document is not valid JSON.
    ///
    /// - Parameter digest: computes SHA-256.
    package static func pages(of document: [UInt8], digest: ([UInt8]) -> [UInt8]) throws -> DocumentPages {
        try pages(of: document, style: Resource.bytes("reference.css"), digest: digest)
    }

    static func pages(of document: [UInt8], style bytes: [UInt8], digest: ([UInt8]) -> [UInt8]) throws -> DocumentPages {
        let node = try OpenAPINode(document: document)
        let templates = try ConsoleTemplates(pages: views)
        let style = String(decoding: bytes, as: UTF8.self)
        var pages = ["codes": Array(templates.html(ReferenceCodesView(node, style: style)).utf8)]
        for operation in ReferenceOperation.all(of: node) {
            pages[operation.id] = Array(templates.html(ReferenceOperationPage(operation, style: style)).utf8)
        }
        var source: [UInt8] = []
        Base64.append(digest(bytes), to: &source)
        return DocumentPages(
            entrance: Array(templates.html(EntranceView(node, style: style)).utf8),
            index: Array(templates.html(ReferenceView(node, style: style)).utf8), pages: pages,
            contentSecurityPolicy:
                "default-src 'none'; style-src 'sha256-\(String(decoding: source, as: UTF8.self))'; base-uri 'none'; "
                + "form-action 'none'; frame-ancestors 'none'")
    }

    /// The views of the pages.
    static var views: [any PageView.Type] {
        [EntranceView.self, ReferenceView.self, ReferenceOperationPage.self, ReferenceCodesView.self]
    }
}

/// The page at `/`.
struct EntranceView: PageView {
    static let template = "entrance"

    let style: String
    let title: String
    let version: String
    let summary: String

    init(_ document: OpenAPINode, style: String) {
        self.style = style
        title = document["info"]?["title"]?.text ?? ""
        version = document["info"]?["version"]?.text ?? ""
        summary = document["info"]?["summary"]?.text ?? ""
    }
}

/// The page of one operation.
struct ReferenceOperationPage: PageView {
    static let template = "reference-operation"

    let style: String
    let operation: ReferenceOperationView

    init(_ operation: ReferenceOperation, style: String) {
        self.style = style
        self.operation = ReferenceOperationView(operation)
    }
}

/// The page that lists all error codes.
struct ReferenceCodesView: PageView {
    static let template = "reference-codes"

    let style: String
    let prose: [ProseView]
    let codes: [ReferenceCodeView]

    init(_ document: OpenAPINode, style: String) {
        self.style = style
        prose = ProseView.all(of: document["components"]?["schemas"]?["Problem"]?["description"]?.text)
        codes = ReferenceCode.all(of: document).map(ReferenceCodeView.init)
    }
}
