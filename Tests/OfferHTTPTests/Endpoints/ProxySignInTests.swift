import HTTPTypes
import Testing

@testable import OfferHTTP
@testable import OfferService

@Suite("The header of a sign-in proxy")
struct ProxySignInTests {
    private let proxy: ProxySignIn

    init() throws {
        let address = try #require(AddressRange("10.0.0.7"))
        proxy = try #require(
            ProxySignIn(addresses: [address], header: "X-Forwarded-User", accessIDs: ["alice": "a", "bob": "b"]))
    }

    /// The person it names, and why it did not count.
    private func named(_ values: [String], from peer: String) -> String {
        var headers = HTTPFields()
        for value in values { headers.append(HTTPField(name: .init("x-forwarded-user")!, value: value)) }
        var refusals: [String] = []
        let person = proxy.person(in: headers, from: peer) { refusals.append($0.rawValue) }
        return ([person.map { "\($0.name):\($0.accessID ?? "-")" } ?? "nobody"] + refusals).joined(separator: " ")
    }

    @Test(
        "Only the proxy names a person, only with one name, and only a name that is known has an access key",
        arguments: [
            (["alice"], "10.0.0.7", "alice:a"), (["alice"], "::ffff:10.0.0.7", "alice:a"), ([], "10.0.0.7", "nobody"),
            (["alice"], "10.0.0.8", "nobody elsewhere"), (["alice"], "", "nobody elsewhere"), ([], "10.0.0.8", "nobody"),
            (["Alice"], "10.0.0.7", "Alice:- unknown"), (["carol"], "10.0.0.7", "carol:- unknown"),
            (["alice", "bob"], "10.0.0.7", ":- unusable"), (["alice", "alice"], "10.0.0.7", ":- unusable"),
            ([""], "10.0.0.7", ":- unusable"), (["", "alice"], "10.0.0.7", ":- unusable"),
            (["alice bob"], "10.0.0.7", ":- unusable"),
            (["älice"], "10.0.0.7", ":- unusable"), (["alice\tbob"], "10.0.0.7", ":- unusable"),
            ([String(repeating: "a", count: 255)], "10.0.0.7", ":- unusable"),
        ])
    func person(values: [String], peer: String, expected: String) { #expect(named(values, from: peer) == expected) }

    @Test(
        "A header that every sender has, or that is none, names no person",
        arguments: ["", "X User", "Cookie", "authorization", "X-Forwarded-For", "HOST", "X-User:"])
    func header(name: String) { #expect(ProxySignIn(addresses: [], header: name, accessIDs: [:]) == nil) }
}
