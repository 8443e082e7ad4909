import Mustache

/// The pages of the console, compiled.
struct ConsoleTemplates: Sendable {
    /// A template, named as its file.
    enum Name: String, CaseIterable {
        case layout, alone, problem, overview, keys, access, audit, sessions, campaigns, catalogue, `try`
        // Parts of several pages.
        case field, select, audience, checklist, reach
        case signIn = "sign-in"
        case keyChange = "key-change"
        case accessRevoke = "access-revoke"
        case campaignHead = "campaign-head"
        case campaignEdit = "campaign-edit"
        case campaignReview = "campaign-review"
        case campaignResults = "campaign-results"
        case campaignHistory = "campaign-history"
        case campaignConfirm = "campaign-confirm"
        case campaignTesters = "campaign-testers"
        case readBack = "read-back"
        case chooseApp = "choose-app"
    }

    private let library: MustacheLibrary

    /// Throws the fault of a template.
    init() throws {
        MustacheContentTypes.register(ByteEscaping(), named: ByteEscaping.name)
        var library = MustacheLibrary()
        for name in Name.allCases {
            let text = String(decoding: Resource.bytes("console/\(name.rawValue).mustache"), as: UTF8.self)
            try library.register("{{% CONTENT_TYPE: \(ByteEscaping.name)}}\n" + text, named: name.rawValue)
        }
        self.library = library
    }

    /// Returns the text of a page. Values are escaped, unless the template marks them as HTML.
    func text(_ name: Name, _ values: [String: Any]) -> String { library.render(values, withTemplate: name.rawValue) ?? "" }
}
