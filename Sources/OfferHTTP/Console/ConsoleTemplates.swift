import Mustache

/// The pages of the console, compiled.
struct ConsoleTemplates: Sendable {
    /// Named as its file is.
    enum Name: String, CaseIterable {
        case layout, alone, problem, overview, keys, access, audit, sessions
        case signIn = "sign-in"
        case keyChange = "key-change"
        case accessRevoke = "access-revoke"

        fileprivate var source: [UInt8] {
            switch self {
            case .layout: PackageResources.layout_mustache
            case .alone: PackageResources.alone_mustache
            case .problem: PackageResources.problem_mustache
            case .overview: PackageResources.overview_mustache
            case .keys: PackageResources.keys_mustache
            case .access: PackageResources.access_mustache
            case .audit: PackageResources.audit_mustache
            case .sessions: PackageResources.sessions_mustache
            case .signIn: PackageResources.sign_in_mustache
            case .keyChange: PackageResources.key_change_mustache
            case .accessRevoke: PackageResources.access_revoke_mustache
            }
        }
    }

    private let library: MustacheLibrary

    /// Throws what is wrong with a template.
    init() throws {
        MustacheContentTypes.register(ByteEscaping(), named: ByteEscaping.name)
        var library = MustacheLibrary()
        for name in Name.allCases {
            let text = String(decoding: name.source, as: UTF8.self)
            try library.register("{{% CONTENT_TYPE: \(ByteEscaping.name)}}\n" + text, named: name.rawValue)
        }
        self.library = library
    }

    /// The text of a page. What is put in comes out escaped, but for what a template says is HTML already.
    func text(_ name: Name, _ values: [String: Any]) -> String { library.render(values, withTemplate: name.rawValue) ?? "" }
}
