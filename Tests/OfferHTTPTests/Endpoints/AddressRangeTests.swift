import Testing

@testable import OfferHTTP

@Suite("Ranges of addresses")
struct AddressRangeTests {
    @Test(
        "A range holds the addresses that begin as it does, and no others",
        arguments: [
            ("10.0.0.0/8", "10.255.255.255", true), ("10.0.0.0/8", "11.0.0.0", false), ("10.0.0.0/8", "9.255.255.255", false),
            ("192.168.4.0/22", "192.168.7.255", true), ("192.168.4.0/22", "192.168.8.0", false),
            ("128.0.0.0/1", "255.0.0.1", true), ("128.0.0.0/1", "127.0.0.1", false),
            ("127.0.0.1", "127.0.0.1", true), ("127.0.0.1", "127.0.0.2", false), ("127.0.0.1/32", "127.0.0.1", true),
            ("::1", "::1", true), ("::1", "0:0:0:0:0:0:0:1", true), ("::1", "127.0.0.1", false), ("::1", "::2", false),
            ("2001:db8::/33", "2001:db8:7fff::1", true), ("2001:db8::/33", "2001:db8:8000::1", false),
            ("2001:DB8::/32", "2001:db8::1", true),
            // What a socket for both kinds gets.
            ("10.0.0.0/8", "::ffff:10.1.2.3", true), ("::ffff:10.1.2.3", "10.1.2.3", true),
            ("8000::/1", "::ffff:10.1.2.3", false),
            // No range of IPv6 holds an IPv4 address by accident.
            ("::/64", "::ffff:10.1.2.3", false), ("::/64", "10.1.2.3", false),
            ("10.0.0.0/8", "", false), ("10.0.0.0/8", "10.1", false), ("10.0.0.0/8", "10.1.2.3 ", false),
            ("10.0.0.0/8", "10.1.2.3:80", false), ("10.0.0.0/8", "010.1.2.3", false), ("10.0.0.0/8", "10.1.2.3\0", false),
        ])
    func contains(range: String, address: String, isIn: Bool) throws {
        #expect(try #require(AddressRange(range)).contains(address) == isIn)
    }

    @Test(
        "What is not a range, or is the range of all addresses, is none",
        arguments: [
            "", "/", "10", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/0", "::/0", "10.0.0.0/-1", "10.0.0.0/+8", "10.0.0.0/8/8",
            "10.0.0.0/0x8",
            "10.0.0.1/8", "2001:db8::1/32", "::1/129", "localhost", "10.0.0.0-10.0.0.9", "*", "10.0.0.*", " 10.0.0.1",
            "::ffff:10.0.0.0/104",
            "10.0.0.0/8\0", "[::1]",
        ])
    func none(text: String) { #expect(AddressRange(text) == nil) }

    @Test(
        "The client is the last that a trusted proxy has added and that is none itself",
        arguments: [
            ("10.0.0.1", ["203.0.113.9"], "203.0.113.9"), ("203.0.113.1", ["203.0.113.9"], "203.0.113.1"),
            ("10.0.0.1", [], "10.0.0.1"),
            ("10.0.0.1", ["198.51.100.1, 203.0.113.9"], "203.0.113.9"),
            ("10.0.0.1", ["198.51.100.1", "203.0.113.9"], "203.0.113.9"),
            ("10.0.0.1", ["203.0.113.9,\t10.0.0.2 "], "203.0.113.9"), ("10.0.0.1", ["10.0.0.3, 10.0.0.2"], "10.0.0.3"),
            ("10.0.0.1", ["203.0.113.9, unknown"], "10.0.0.1"), ("10.0.0.1", ["203.0.113.9,"], "10.0.0.1"),
            ("10.0.0.1", [""], "10.0.0.1"),
            ("10.0.0.1", ["203.0.113.9, unknown, 10.0.0.2"], "10.0.0.2"), ("10.0.0.1", ["2001:db8::7"], "2001:db8::7"),
            ("10.0.0.1", ["10.0.0.9, 203.0.113.9, 198.51.100.1"], "198.51.100.1"), ("", ["203.0.113.9"], ""),
        ])
    func client(peer: String, forwardedFor: [String], client: String) throws {
        let range = try #require(AddressRange("10.0.0.0/8"))
        let proxies = TrustedProxies([range])
        #expect(proxies.client(peer: peer, forwardedFor: forwardedFor) == client)
        #expect(TrustedProxies().client(peer: peer, forwardedFor: forwardedFor) == peer)
    }
}
