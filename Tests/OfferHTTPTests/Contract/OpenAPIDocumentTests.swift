import Foundation
import Testing
import WireText

@testable import OfferHTTP

@Suite("The OpenAPI document")
struct OpenAPIDocumentTests {
    private static let document = OpenAPIDocument.json(version: "0.0.0")
    private static let sources = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources/OfferHTTP")

    private func names(_ place: String...) -> [String] {
        let found = place.reduce(Self.document) { $0.member($1) ?? .null }
        if case .object(let members) = found { return members.map(\.name) } else { return [] }
    }

    /// The names of declarations of one kind in the sources.
    private func declared(_ kind: String) throws -> [String] {
        // The steps of a campaign have a form of their own.
        let words = kind == "Operation" ? "(?:Operation|step)" : kind
        let declaration = try Regex(
            "static let \\w+ = \(words)\\(\\s*(?:id: )?\"(\\w+)\"", as: (Substring, Substring).self)
        let files =
            FileManager.default.enumerator(at: Self.sources, includingPropertiesForKeys: nil)?.compactMap { $0 as? URL } ?? []
        return try files.filter { $0.pathExtension == "swift" }.flatMap { file in
            try String(contentsOf: file, encoding: .utf8).matches(of: declaration).map { String($0.output.1) }
        }.sorted()
    }

    @Test("Every declared operation, form and shared problem is in it, once")
    func complete() throws {
        #expect(try declared("Operation") == Operation.all.map(\.id).sorted())
        #expect(try declared("NamedSchema") == names("components", "schemas").sorted())
        #expect(try declared("SharedProblem") == names("components", "responses").sorted())
        #expect(Set(Operation.all.map { "\($0.method) \($0.path)" }).count == Operation.all.count)
        #expect(names("paths").count == Set(Operation.all.map(\.path)).count && Operation.all.count > 70)
    }

    @Test("Every reference leads somewhere")
    func references() {
        var count = 0
        func follow(_ value: JSONValue) {
            switch value {
            case .object(let members):
                for member in members {
                    if member.name == "$ref", case .string(let path) = member.value {
                        let target = path.split(separator: "/").dropFirst().reduce(Self.document as JSONValue?) {
                            $0?.member(String($1))
                        }
                        #expect(target != nil, "\(path)")
                        count += 1
                    } else if !member.name.hasPrefix("example") {
                        follow(member.value)
                    }
                }
            case .array(let elements): elements.forEach(follow)
            default: break
            }
        }
        follow(Self.document)
        #expect(count > 1000)
    }
}
