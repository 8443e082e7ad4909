import Foundation
import OfferSigning
import Testing
import WireText

@testable import OfferHTTP
@testable import OfferService

@Suite("The pages of the OpenAPI document")
struct ReferenceSiteTests {
    private static func site(_ document: String) throws -> DocumentPages {
        try ReferenceSite.pages(of: Array(document.utf8), style: Array("p{color:red}".utf8), digest: Crypto.sha256)
    }

    /// All pages, one behind the other.
    private static func pages(_ document: String) throws -> String {
        let site = try site(document)
        return String(
            decoding: site.entrance + site.index + site.pages.sorted { $0.key < $1.key }.flatMap(\.value), as: UTF8.self)
    }

    @Test("What the document says is text, never markup")
    func escaping() throws {
        let page = try Self.pages(
            #"{"info":{"title":"<script>alert(1)</script>","version":"\"&","description":"a <b> `<i>`"},"paths":{"/x\"><u>":{"get":{}}}}"#
        )
        for markup in ["<script", "<b>", "<i>", "<u>", "\"&\""] { #expect(!page.contains(markup), "\(markup)") }
        #expect(page.contains("&lt;script&gt;") && page.contains("<code>&lt;i&gt;</code>"))
    }

    @Test("The policy allows the style sheet of the page by its digest, and nothing else")
    func policy() throws {
        let policy = try Self.site("{}").contentSecurityPolicy
        // printf 'p{color:red}' | openssl dgst -sha256 -binary | base64
        #expect(
            policy == "default-src 'none'; style-src 'sha256-p0bF+un5yUb9MBO6xRb8kPHlY2BdpHVtLiFkDrZPF64='; base-uri 'none'; "
                + "form-action 'none'; frame-ancestors 'none'")
    }

    @Test("A schema that contains itself is shown once")
    func recursion() throws {
        let page = try Self.pages(
            ##"""
            {"paths":{"/tree":{"post":{"requestBody":{"content":{"application/json":{"schema":{"$ref":"#/components/schemas/Node"}}}}}}},
            "components":{"schemas":{"Node":{"properties":{"children":{"type":"array","items":{"$ref":"#/components/schemas/Node"}}}}}}}
            """##)
        #expect(page.components(separatedBy: "<h4> Node</h4>").count == 2)
        #expect(page.contains("list of Node"))
    }

    @Test("A document that is no JSON is an error, not an empty page")
    func brokenDocument() {
        #expect(throws: JSONParser.Fault.self) { try Self.site("{") }
    }

    @Test(
        "Types and bounds are put into words",
        arguments: [
            (##"{"type":["string","null"],"minLength":1,"maxLength":64}"##, "string, or null", "1 to 64 characters"),
            (##"{"type":"array","items":{"type":"integer"},"maxItems":20}"##, "list of integer", "at most 20 elements"),
            (##"{"oneOf":[{"$ref":"#/a"},{"type":"boolean"}],"a":1}"##, "any or boolean", ""),
            (##"{"enum":["x","y",null],"default":"x"}"##, "string, or null", "`x`, `y`; default `x`"),
            (##"{"type":"integer","minimum":0,"maximum":9007199254740991}"##, "integer", ""),
            (##"{"type":"string","minLength":36,"maxLength":36}"##, "string", "36 characters"),
        ])
    func words(schema: String, type: String, bounds: String) throws {
        let node = try OpenAPINode(document: Array(schema.utf8))
        #expect(node.typeText == type)
        #expect(node.boundsText(described: "") == bounds)
    }
}
