package import Foundation

/// A folder for one test, removed with it.
package final class TemporaryFolder: Sendable {
    /// Where it is.
    package let url: URL

    /// Makes an empty one.
    package init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "offersigner-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// The path of something in it.
    package func path(_ name: String) -> String { url.appending(path: name).path }
}
