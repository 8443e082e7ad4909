import Testing

@testable import OfferHTTP

@Suite("Templates and what they show")
struct TemplateFieldsTests {
    @Test("Templates name stored properties of their views, and every such property is named")
    func pages() {
        var check = TemplateCheck { String(decoding: Resource.bytes("console/\($0).mustache"), as: UTF8.self) }
        let pages: [any PageView.Type] = Console.pages + ReferenceSite.views
        for page in pages { check.check(page.template, [page]) }
        #expect(check.faults == [])
        #expect(check.unnamed == [])
        #expect(Set(ConsoleTemplates.parts).subtracting(check.templates) == [], "templates that no page includes")
    }

    struct Row: TemplateView {
        let name: String
        let note: String?
    }

    struct Page: TemplateView {
        let title: String
        let isOpen: Bool
        let rows: [Row]
    }

    @Test(
        "A fault names its place",
        arguments: [
            ("{{title}}\n{{titel}}", "page.mustache:2: no field \"titel\" in TemplateFieldsTests.Page"),
            (
                "{{#rows}}\n{{nam}}{{/rows}}",
                "page.mustache:2: no field \"nam\" in TemplateFieldsTests.Page, TemplateFieldsTests.Row"
            ),
            ("{{rows}}", "page.mustache:1: \"rows\" is not a text"),
            ("{{{title}}}", "page.mustache:1: \"title\" is not escaped"),
            ("{{#title}}{{/title}}", "page.mustache:1: \"title\" always has a value"),
            ("{{#isOpen}}{{/title}}", "page.mustache:1: {{/title}} closes {{#isOpen}}"),
        ])
    func faults(template: String, fault: String) {
        var check = TemplateCheck { _ in template }
        check.check("page", [Page.self])
        #expect(check.faults == [fault])
    }

    @Test("Names further out are found, and what no template names is reported")
    func scopes() {
        var check = TemplateCheck { _ in
            "{{#rows}}{{title}}{{name}}{{#note}}{{note}}{{.}}{{/note}}{{/rows}}{{^rows}}none{{/rows}}"
        }
        check.check("page", [Page.self])
        #expect(check.faults == [])
        #expect(check.unnamed == ["TemplateFieldsTests.Page.isOpen"])
    }
}
