import NIOCore
import Testing

@testable import OfferHTTP
@testable import OfferService

@Suite("Connection limit")
struct ConnectionLimitTests {
    @Test("All have a limit and one address a share of it; who leaves makes room")
    func limits() {
        let limit = ConnectionLimit(total: 3, perAddress: 2)
        let (one, other) = (PeerAddress.v4(1), PeerAddress.v4(2))
        #expect(limit.enter(one) == nil)
        #expect(limit.enter(one) == nil)
        #expect(limit.enter(one) == .address)
        #expect(limit.enter(other) == nil)
        #expect(limit.enter(other) == .total)
        limit.leave(one)
        #expect(limit.enter(other) == nil)
        #expect(limit.enter(.unknown) == .total)
    }

    @Test(
        "Addresses of one subscriber are one",
        arguments: [
            ("192.0.2.1", "192.0.2.1", true), ("192.0.2.1", "192.0.2.2", false), ("::ffff:192.0.2.1", "192.0.2.1", true),
            ("2001:db8:1:2::1", "2001:db8:1:2:ffff::9", true), ("2001:db8:1:2::1", "2001:db8:1:3::1", false),
            ("::1", "::2", true), ("::1", "127.0.0.1", false),
        ])
    func addresses(first: String, second: String, areOne: Bool) throws {
        let (left, right) = (try SocketAddress(ipAddress: first, port: 1), try SocketAddress(ipAddress: second, port: 2))
        #expect((PeerAddress(left) == PeerAddress(right)) == areOne)
    }
}
