public import EligibilityRules
import Foundation
import OfferSigning
import WireText

@testable import AppStore

/// JSON and fixtures for the tests.
enum Samples {
    /// A JSON text as a value.
    static func json(_ text: String) throws -> JSONValue { try JSONValue(parsing: Array(text.utf8)) }

    /// A file of `Tests/Fixtures`, as text.
    static func fixture(_ name: String) throws -> String {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        return try String(contentsOf: folder.appending(path: "Fixtures/\(name).json"), encoding: .utf8)
    }

    /// A file of `Tests/Fixtures`.
    static func parsedFixture(_ name: String) throws -> JSONValue { try json(fixture(name)) }
}

extension Instant: ExpressibleByIntegerLiteral {
    /// Milliseconds since 1970.
    public init(integerLiteral milliseconds: Int64) { self.init(milliseconds: milliseconds) }
}
