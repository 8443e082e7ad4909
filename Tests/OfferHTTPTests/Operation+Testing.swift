@testable import OfferHTTP

extension Operation {
    /// An operation that is in no document.
    static func test(_ path: String, bodySize: Int = 16) -> Operation {
        Operation(
            id: "test", method: .post, path: path, access: .open,
            about: About(
                tag: "", summary: "", text: "", body: Body(NamedSchema("Test", nil, []), size: bodySize), successes: []))
    }
}
