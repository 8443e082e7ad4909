import Foundation

/// A document of the repository that carries blocks made from the code.
struct Manual {
    private let file: URL

    /// - Parameter path: from the root of the repository.
    init(_ path: String) {
        file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: path)
    }

    /// Whether the block of this title holds the text; with `UPDATE_DOCUMENTS=1` it is written first.
    func carries(_ text: String, between title: String) throws -> Bool {
        let document = try String(contentsOf: file, encoding: .utf8)
        let (head, tail) = ("<!-- \(title): made by EligibilityRulesTests -->\n", "\n<!-- end of \(title) -->")
        guard let start = document.range(of: head)?.upperBound,
            let end = document.range(of: tail, range: start..<document.endIndex)?.lowerBound
        else { return false }
        if document[start..<end] == text { return true }
        guard ProcessInfo.processInfo.environment["UPDATE_DOCUMENTS"] == "1" else { return false }
        try document.replacingCharacters(in: start..<end, with: text).write(to: file, atomically: true, encoding: .utf8)
        return true
    }
}
