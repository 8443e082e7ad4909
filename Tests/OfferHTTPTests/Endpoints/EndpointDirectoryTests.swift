import Testing

@testable import OfferHTTP
@testable import OfferService

@Suite("Endpoint directory")
struct EndpointDirectoryTests {
    private struct Stub: Endpoint {
        let operation: Operation
        var app: AppScope { .none }
        func respond(to _: Exchange) {}
    }

    private let directory = EndpointDirectory([
        Stub(operation: .issueNonces), Stub(operation: .bindTransaction),
        Stub(operation: .receiveNotification),
    ])

    @Test(
        "Paths lead to their operations, with the parameter as it was meant",
        arguments: [
            ("/v1/nonces", "/v1/nonces", nil),
            ("/v1/nonces?a=b", "/v1/nonces", nil),
            ("/v1/appstore/notifications/com.example.app", "/v1/appstore/notifications/{bundleId}", "com.example.app"),
            ("/v1/appstore/notifications/com.example.app?x", "/v1/appstore/notifications/{bundleId}", "com.example.app"),
            ("/v1/customers/u%2F1%20%C3%A9/transactions", "/v1/customers/{customerId}/transactions", "u/1 é"),
            ("/v1/customers/100%/transactions", "/v1/customers/{customerId}/transactions", nil),
            ("/v1/customers/%ff/transactions", "/v1/customers/{customerId}/transactions", nil),
            ("http://example.com:80/v1/nonces?a=b", "/v1/nonces", nil),
            ("http://example.com/v1/nonces?a=/b?c", "/v1/nonces", nil),
            ("/v1/customers/transactions/transactions", "/v1/customers/{customerId}/transactions", "transactions"),
        ] as [(String, String, String?)])
    func found(uri: String, path: String, parameter: String?) {
        let match = directory.match(uri)
        #expect(match?.operation.path == path)
        #expect(match?.parameter == parameter)
    }

    @Test(
        "Other paths lead nowhere",
        arguments: [
            "/", "/v1/nonces/", "/v1/customers//transactions", "/v1/customers/a/b/transactions", "/v1/customers/transactions",
            "/v1/customers/a/transaction", "/v1/appstore/notifications/", "/v1/appstore/notifications/a/b", "/V1/nonces",
            "http://v1/nonces", "http://", "://", "http://x?/v1/nonces", "http://x?a=/v1/nonces",
        ])
    func notFound(uri: String) {
        #expect(directory.match(uri) == nil)
    }
}
